import { ACCESS } from '../src/contract/endpoints/access.ts'
import { AUDIT } from '../src/contract/endpoints/audit.ts'
import { DROPS } from '../src/contract/endpoints/drops.ts'
import { EDI } from '../src/contract/endpoints/edi.ts'
import { EVENTS } from '../src/contract/endpoints/events.ts'
import { ENDPOINTS } from '../src/contract/endpoints/groups.ts'
import { HOLDS } from '../src/contract/endpoints/holds.ts'
import { MAKEGOODS } from '../src/contract/endpoints/makegoods.ts'
import { OPS } from '../src/contract/endpoints/ops.ts'
import { ORDERS } from '../src/contract/endpoints/orders.ts'
import { PUBLISHING } from '../src/contract/endpoints/publishing.ts'
import { RECONCILIATION } from '../src/contract/endpoints/reconciliation.ts'
import { REGISTRIES } from '../src/contract/endpoints/registries.ts'
import { RELATIONS } from '../src/contract/endpoints/relations.ts'
import { SANDBOX } from '../src/contract/endpoints/sandbox.ts'
import { SEARCH } from '../src/contract/endpoints/search.ts'
import { SETTLEMENT } from '../src/contract/endpoints/settlement.ts'
import { WEBHOOKS } from '../src/contract/endpoints/webhooks.ts'
import { getCredit, getGrantedCredit, getPacing } from './endpoints/both/agreementFigures.ts'
import { getCredential } from './endpoints/both/credential.ts'
import { getAttachment, getUploadContent, getUploadPages } from './endpoints/both/downloads.ts'
import { getMailDocument, getMails, postResend } from './endpoints/both/edi.ts'
import { getInvoice, getInvoices } from './endpoints/both/invoices.ts'
import { getMakegood, getMakegoods, getOrderMakegoods, postAnswer, postNotice, postRevision } from './endpoints/both/makegoods.ts'
import { getAudit, getCounts, getEvents, getFeed, getOrder, getOrders } from './endpoints/both/orderReads.ts'
import { ownOrder } from './endpoints/both/ownOrder.ts'
import { deleteQueue, getQueue, putQueue } from './endpoints/both/queueDelivery.ts'
import { getReconciledOrders, getReconciliation } from './endpoints/both/reconciliation.ts'
import { getRefusedRequests } from './endpoints/both/refusedRequests.ts'
import { getSearch } from './endpoints/both/search.ts'
import { getSecurityEvents } from './endpoints/both/securityEvents.ts'
import { postVariance } from './endpoints/both/variances.ts'
import {
  deleteOwnEndpoint,
  getDeliveries,
  getEndpoint,
  getEndpoints,
  ownEndpoint,
  patchEndpoint,
  postEnable,
  postEndpoint,
  postRedeliver,
  postRedeliverRange,
  postRotateSecret,
  postTest,
} from './endpoints/both/webhooks.ts'
import { getAgreements } from './endpoints/buyer/agreements.ts'
import { cancelOrder } from './endpoints/buyer/cancelOrder.ts'
import { confirmOrder } from './endpoints/buyer/confirmOrder.ts'
import { createOrder, previewOrder, reviewCreate } from './endpoints/buyer/createOrder.ts'
import { getCreatives, postArchive, postCreative } from './endpoints/buyer/creatives.ts'
import { getCatalog, getSellers } from './endpoints/buyer/discovery.ts'
import { getAvails } from './endpoints/buyer/getAvails.ts'
import { deleteHold, getHold, getHolds, getReceivedHolds, postHold } from './endpoints/buyer/holds.ts'
import { knownSeller, requestAvails } from './endpoints/buyer/requestAvails.ts'
import { respondOrder } from './endpoints/buyer/respondOrder.ts'
import { getUpload, ownUpload, postUpload, putUploadContent } from './endpoints/buyer/uploads.ts'
import { getEndpointDeliveries, getOpsEndpoints, postOpsResend } from './endpoints/operator/deliveries.ts'
import { getOpsDrops } from './endpoints/operator/drops.ts'
import { getOpsConnections, getOpsHealth } from './endpoints/operator/health.ts'
import { getOpsMails } from './endpoints/operator/mails.ts'
import { getOpsOrder, getOpsOrders, postWake } from './endpoints/operator/orders.ts'
import { postElapse, postElapseHold } from './endpoints/sandbox/elapse.ts'
import { getSandboxMail, getSandboxMails } from './endpoints/sandbox/mail.ts'
import { isSandbox } from './endpoints/sandbox/mode.ts'
import { getDemandedOrder, postSandboxOrder } from './endpoints/sandbox/orders.ts'
import { postTenant } from './endpoints/sandbox/tenants.ts'
import {
  getAgreement,
  getBuyer,
  getBuyers,
  getCapabilities,
  getSellerAgreements,
  putAgreement,
  putBuyer,
  putCapabilities,
  refuseForeignAgreement,
} from './endpoints/seller/agreements.ts'
import { getApprovalRules, putApprovalRules } from './endpoints/seller/approvalRules.ts'
import { decideOrder } from './endpoints/seller/decideOrder.ts'
import { getDrop, getDrops, postManifest } from './endpoints/seller/drops.ts'
import { issueInvoicesAsOf, ownInvoice, postPaid } from './endpoints/seller/invoices.ts'
import { getMapping, getMappings, putMapping, removeMapping } from './endpoints/seller/mappings.ts'
import { getRateCardDiff, getRates } from './endpoints/seller/ownRates.ts'
import { planOrder } from './endpoints/seller/planOrder.ts'
import { getAvailsRequests, getOwnAvails, getOwnCatalog, getRateCard, getRateCards } from './endpoints/seller/publishedReads.ts'
import { putAvails } from './endpoints/seller/putAvails.ts'
import { putCatalog } from './endpoints/seller/putCatalog.ts'
import { putDropFile } from './endpoints/seller/putDropFile.ts'
import { putRateCard } from './endpoints/seller/putRateCard.ts'
import { putSecret } from './endpoints/seller/putSecret.ts'
import { getSellerUpload, postSellerUpload, putSellerUploadContent } from './endpoints/seller/uploads.ts'
import type { Deps } from './http/handler.ts'
import { keyed } from './http/keyedRequest.ts'
import { type Route, route } from './http/route.ts'

/** The handler of each endpoint. */
const BOUND: readonly Route[] = [
  route(PUBLISHING.publishCatalog, putCatalog),
  route(PUBLISHING.getOwnCatalog, getOwnCatalog),
  route(PUBLISHING.publishRateCard, putRateCard),
  route(PUBLISHING.listRateCards, getRateCards),
  route(PUBLISHING.getRateCard, getRateCard),
  route(PUBLISHING.diffRateCard, getRateCardDiff),
  route(PUBLISHING.getRates, getRates),
  route(PUBLISHING.publishAvails, putAvails),
  route(PUBLISHING.getOwnAvails, getOwnAvails),
  route(PUBLISHING.listAvailsRequests, getAvailsRequests),
  route(PUBLISHING.listSellers, getSellers),
  route(PUBLISHING.getCatalog, getCatalog),
  route(PUBLISHING.getAvails, getAvails),
  route(PUBLISHING.requestAvails, requestAvails, { owned: knownSeller }),

  route(DROPS.registerDrop, postManifest),
  route(DROPS.putDropFile, putDropFile),
  route(DROPS.listDrops, getDrops),
  route(DROPS.getDrop, getDrop),
  route(DROPS.listMappings, getMappings),
  route(DROPS.getMapping, getMapping),
  route(DROPS.putMapping, putMapping),
  route(DROPS.deleteMapping, removeMapping),

  route(RELATIONS.listAgreements, getAgreements),
  route(RELATIONS.getPacing, getPacing),
  route(RELATIONS.getCredit, getCredit),
  route(RELATIONS.listGrantedAgreements, getSellerAgreements),
  route(RELATIONS.getGrantedAgreement, getAgreement),
  route(RELATIONS.getGrantedPacing, getPacing),
  route(RELATIONS.getGrantedCredit, getGrantedCredit),
  route(RELATIONS.grantAgreement, putAgreement, { owned: refuseForeignAgreement }),
  route(RELATIONS.listBuyers, getBuyers),
  route(RELATIONS.getBuyer, getBuyer),
  route(RELATIONS.putBuyer, putBuyer),
  route(RELATIONS.getCapabilities, getCapabilities),
  route(RELATIONS.putCapabilities, putCapabilities),
  route(RELATIONS.putSecret, putSecret),
  route(RELATIONS.getApprovalRules, getApprovalRules),
  route(RELATIONS.putApprovalRules, putApprovalRules),

  route(REGISTRIES.listCreatives, getCreatives),
  route(REGISTRIES.createCreative, keyed(REGISTRIES.createCreative, postCreative)),
  route(REGISTRIES.archiveCreative, postArchive),
  route(REGISTRIES.createUpload, keyed(REGISTRIES.createUpload, postUpload)),
  route(REGISTRIES.getUpload, getUpload),
  route(REGISTRIES.getUploadContent, getUploadContent),
  route(REGISTRIES.getUploadPages, getUploadPages),
  route(REGISTRIES.putUploadContent, putUploadContent, { owned: ownUpload }),
  route(REGISTRIES.getOwnAttachment, getAttachment),
  route(REGISTRIES.createSellerUpload, keyed(REGISTRIES.createSellerUpload, postSellerUpload)),
  route(REGISTRIES.getSellerUpload, getSellerUpload),
  route(REGISTRIES.putSellerUploadContent, putSellerUploadContent, { owned: ownUpload }),

  route(HOLDS.createHold, postHold),
  route(HOLDS.listHolds, getHolds),
  route(HOLDS.listReceivedHolds, getReceivedHolds),
  route(HOLDS.getHold, getHold),
  route(HOLDS.releaseHold, deleteHold),

  route(ORDERS.createOrder, createOrder, { review: reviewCreate }),
  route(ORDERS.listOrders, getOrders),
  route(ORDERS.getOrder, getOrder),
  route(ORDERS.getOrderAudit, getAudit),
  route(ORDERS.previewOrder, previewOrder, { review: reviewCreate }),
  route(ORDERS.countOrders, getCounts),
  route(ORDERS.confirmOrder, confirmOrder, { owned: ownOrder }),
  route(ORDERS.cancelOrder, cancelOrder, { owned: ownOrder }),
  route(ORDERS.respondOrder, respondOrder, { owned: ownOrder }),
  route(ORDERS.listReceivedOrders, getOrders),
  route(ORDERS.getReceivedOrder, getOrder),
  route(ORDERS.countReceivedOrders, getCounts),
  route(ORDERS.getReceivedOrderAudit, getAudit),
  route(ORDERS.getAttachment, getAttachment),
  route(ORDERS.decideOrder, decideOrder, { owned: ownOrder }),
  route(ORDERS.planOrder, planOrder, { owned: ownOrder }),

  route(EDI.listEdiMails, getMails),
  route(EDI.getEdiDocument, getMailDocument),
  route(EDI.resendEdiMail, postResend, { owned: ownOrder }),
  route(EDI.listReceivedEdiMails, getMails),
  route(EDI.getReceivedEdiDocument, getMailDocument),
  route(EDI.resendReceivedEdiMail, postResend, { owned: ownOrder }),

  route(SETTLEMENT.listInvoices, getInvoices),
  route(SETTLEMENT.getInvoice, getInvoice),
  route(SETTLEMENT.listIssuedInvoices, getInvoices),
  route(SETTLEMENT.getIssuedInvoice, getInvoice),
  route(SETTLEMENT.markInvoicePaid, postPaid, { owned: ownInvoice }),
  route(SETTLEMENT.issueInvoicesAsOf, issueInvoicesAsOf),

  route(RECONCILIATION.getReconciliation, getReconciliation),
  route(RECONCILIATION.answerVariance, postVariance, { owned: ownOrder }),
  route(RECONCILIATION.getReceivedReconciliation, getReconciliation),
  route(RECONCILIATION.settleVariance, postVariance, { owned: ownOrder }),
  route(RECONCILIATION.listReconciledOrders, getReconciledOrders),
  route(RECONCILIATION.listReceivedReconciledOrders, getReconciledOrders),

  route(MAKEGOODS.noticeMakegood, postNotice, { owned: ownOrder }),
  route(MAKEGOODS.reviseMakegood, postRevision, { owned: ownOrder }),
  route(MAKEGOODS.answerMakegood, postAnswer, { owned: ownOrder }),
  route(MAKEGOODS.listOrderMakegoods, getOrderMakegoods),
  route(MAKEGOODS.getMakegood, getMakegood),
  route(MAKEGOODS.listMakegoods, getMakegoods),
  route(MAKEGOODS.listReceivedOrderMakegoods, getOrderMakegoods),
  route(MAKEGOODS.getReceivedMakegood, getMakegood),
  route(MAKEGOODS.listReceivedMakegoods, getMakegoods),

  route(WEBHOOKS.createWebhookEndpoint, keyed(WEBHOOKS.createWebhookEndpoint, postEndpoint)),
  route(WEBHOOKS.listWebhookEndpoints, getEndpoints),
  route(WEBHOOKS.getWebhookEndpoint, getEndpoint),
  route(WEBHOOKS.changeWebhookEndpoint, patchEndpoint, { owned: ownEndpoint }),
  route(WEBHOOKS.deleteWebhookEndpoint, deleteOwnEndpoint),
  route(WEBHOOKS.enableWebhookEndpoint, postEnable),
  route(WEBHOOKS.rotateWebhookSecret, keyed(WEBHOOKS.rotateWebhookSecret, postRotateSecret), { owned: ownEndpoint }),
  route(WEBHOOKS.testWebhookEndpoint, keyed(WEBHOOKS.testWebhookEndpoint, postTest), { owned: ownEndpoint }),
  route(WEBHOOKS.listDeliveries, getDeliveries),
  route(WEBHOOKS.redeliver, keyed(WEBHOOKS.redeliver, postRedeliver)),
  route(WEBHOOKS.redeliverRange, keyed(WEBHOOKS.redeliverRange, postRedeliverRange), { owned: ownEndpoint }),

  route(EVENTS.replayEvents, getEvents),
  route(EVENTS.readFeed, getFeed),
  route(SEARCH.search, getSearch),
  route(EVENTS.getQueueDelivery, getQueue),
  route(EVENTS.putQueueDelivery, putQueue),
  route(EVENTS.deleteQueueDelivery, deleteQueue),

  route(SANDBOX.listSandboxMails, getSandboxMails),
  route(SANDBOX.getSandboxMail, getSandboxMail),
  route(SANDBOX.makeTenant, keyed(SANDBOX.makeTenant, postTenant)),
  route(SANDBOX.orderFromSeller, keyed(SANDBOX.orderFromSeller, postSandboxOrder)),
  route(SANDBOX.getDemandedOrder, getDemandedOrder),
  route(SANDBOX.elapseDeadline, postElapse, { owned: ownOrder }),
  route(SANDBOX.elapseHold, postElapseHold),

  route(ACCESS.getCredential, getCredential),
  route(ACCESS.listRefusedRequests, getRefusedRequests),

  route(AUDIT.listAudit, getSecurityEvents),
  route(AUDIT.listOwnAudit, getSecurityEvents),

  route(OPS.getOpsHealth, getOpsHealth),
  route(OPS.listOpsOrders, getOpsOrders),
  route(OPS.getOpsOrder, getOpsOrder),
  route(OPS.wakeOrder, postWake),
  route(OPS.listOpsDeliveries, getOpsEndpoints),
  route(OPS.listEndpointDeliveries, getEndpointDeliveries),
  route(OPS.resendDelivery, postOpsResend),
  route(OPS.listOpsDrops, getOpsDrops),
  route(OPS.listOpsMails, getOpsMails),
  route(OPS.listOpsConnections, getOpsConnections),
  route(OPS.listOpsAudit, getSecurityEvents),
]

const byName = new Map(BOUND.map((bound) => [bound.endpoint.name, bound]))

/** Every endpoint of /v1 with its handler, in the order of the contract. */
export const ROUTES: readonly Route[] = ENDPOINTS.map(({ name }) => routeOf(name))

/** Returns the routes that are served: in production without those of sandboxes, whose paths are then unknown. */
export function servedRoutes(deps: Pick<Deps, 'mode'>): readonly Route[] {
  return isSandbox(deps) ? ROUTES : ROUTES.filter(({ endpoint }) => endpoint.sandbox !== true)
}

/** Returns the route of an operation. Throws if the contract has no such operation or nothing serves it. */
export function routeOf(name: string): Route {
  const found = byName.get(name)
  if (found === undefined) throw new Error(`no handler serves the operation ${name}`)
  return found
}
