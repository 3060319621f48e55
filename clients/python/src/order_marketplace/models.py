"""What requests and replies of /v1 carry. Made from docs/openapi.json by make/make.py: do not edit it."""

from __future__ import annotations

from datetime import date as date_aliased
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from order_marketplace._model import Model, known_or_unknown
from order_marketplace.money import Money


class AcceptanceBand(Model):
    metric: Literal["delivery", "budget"] | str
    """delivery or budget."""
    tolerance_pct: float
    """The tolerance in percent. The edge is included."""
    action: Literal["auto_accept", "flag"] | str
    """auto_accept: the platform confirms a plan within the band. flag: a person does."""


class ActedVariance(Model):
    order_id: str
    """The platform's id of the order."""
    revision: int
    """The number of the result after the action."""
    unit_id: str | None
    """The line of the order; null for spots that aired or are billed without one."""
    network: str
    """The network."""
    air_date: date_aliased
    """The date on which the spots are booked; of spots that no one ordered, their broadcast date."""
    broadcast_month: str
    """The broadcast month of the date."""
    variance_id: str
    """The id of the variance. New data that leaves the variance where it is leaves the id."""
    code: (
        Literal[
            "ORDERED_NOT_RUN",
            "MISSED",
            "MAKEGOOD",
            "WRONG_DATE",
            "OUT_OF_DAYPART",
            "WRONG_LENGTH",
            "WRONG_COPY",
            "RATE_MISMATCH",
            "BILLED_NOT_RUN",
            "RUN_NOT_BILLED",
            "RUN_NOT_ORDERED",
            "DUPLICATE",
        ]
        | str
    )
    """How the spots differ from the order, such as OUT_OF_DAYPART."""
    state: Literal["open", "accepted", "disputed", "credited", "upheld", "gone"] | str
    """open, accepted, disputed, credited or upheld; gone if new data has ended the variance."""
    units: int
    """The spots that the variance is about."""
    gross: Money
    """The price of the spots; for RATE_MISMATCH what is billed beyond it; for spots that no one ordered what is billed. In major units of the currency."""
    reason: str | None = None
    """Why the spot did not air, as the seller says."""
    makegood_id: str | None = None
    """The agreed makegood of a missed spot, or that aired."""
    agreed: bool | None = None
    """Of MAKEGOOD: whether the parties agreed on the spot that aired."""
    rows: list[ReconciledRow]
    """The rows of logs and invoices in which the variance is found."""
    actions: list[VarianceStep]
    """What both sides did about the variance, oldest first."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class AgreedMakegood(Model):
    offer_id: str
    """The name of an offer among those of its makegood."""
    product_id: str
    """The product in which the spots are to air."""
    date: date_aliased
    """The date on which they are to air."""
    units: int
    """How many spots."""
    spot_length: int
    """Their length, in seconds."""
    unit_cost: Money | None = None
    """What the seller’s system prices a unit at, in major units of the currency. It is never billed, and must not come to more than what the offer replaces."""
    impressions: int | None = None
    """The impressions that the seller projects for a unit."""
    network: str
    """The network of the product."""
    windows: list[AgreedMakegoodWindow]
    """When the spots may air, in the local time of the product."""
    replaces: list[ReplacedUnits]
    """What the offer replaces."""
    gross: Money
    """What the offer replaces costs, at which it is billed, in major units of the currency."""
    billing: Literal["booked", "aired"] | str
    """The broadcast month in which it is billed: booked, that of what it replaces; aired, that of its air date."""


class AgreedMakegoodWindow(Model):
    start: str
    """The first date (YYYY-MM-DD), or the time of day at which it starts (HH:MM in its time zone)."""
    end: str
    """The last date (YYYY-MM-DD), or the time of day at which it ends (HH:MM in its time zone); an end before the start is after midnight."""


class Agreement(Model):
    agreement_id: str
    """The id of the agreement between the seller and the buyer."""
    seller: str
    """The seller's tenant id."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    status: Literal["active", "ended"] | str
    """active or ended."""
    effective: DateRange
    """The dates between which it is in force, both inclusive."""
    settlement_mode: Literal["direct", "cleared"] | str
    """direct, or cleared through the platform. It is resolved from the agreement."""
    currency: str
    """The currency of the money, by its ISO 4217 code."""
    credit_limit: Money | None = None
    """The highest total of cleared orders at any time, in major units of the currency; no limit if null or omitted."""
    commitment_gross: Money | None = None
    """The gross that the buyer has committed to book, in major units of the currency."""
    permitted_buy_types: (
        list[
            Literal[
                "preemptible",
                "non_preemptible",
                "audience_guaranteed",
                "fixed_position",
            ]
            | str
        ]
        | None
    ) = None
    """The values permitted under the agreement; no restriction if omitted or empty."""
    permitted_grains: list[Literal["day", "week", "month"] | str] | None = None
    """The values permitted under the agreement; no restriction if omitted or empty."""
    catalog_scope: Literal["*"] | str | list[str]
    """The by_agreement products that the agreement unlocks, or * for all of them. It never hides open products."""
    disclosure_overrides: list[DisclosureOverride] | None = None
    """What is published to this buyer, in place of the products' own disclosure."""
    posting_policy_overrides: list[PostingPolicyOverride] | None = None
    """The posting policies for this buyer, in place of the products' own."""
    cancellation_terms: CancellationTerms | None = None
    """The notice and the fee of a cancellation. An order keeps the terms it was created with."""
    edi: EdiDelivery | None = None
    """The delivery of order documents to the agency's billing system; none if omitted. Setting or changing it needs the scope orders:approve as well. A marketplace that sends no mail refuses it."""
    agency_commission_pct: float | None = None
    """The agency's commission, in percent of the gross of an invoice, as it is when the invoice is issued; 0 if omitted."""
    reconciliation: ReconciliationMinutes | None = None
    """Within how many minutes the spots of orders are matched with what aired and was billed. A change reconciles the orders again."""
    makegood_guidelines: MakegoodGuidelinesOutput | None = None
    """When the platform accepts an offered makegood in the place of the buyer; a person decides on every offer if omitted."""
    makegood_billing: Literal["booked", "aired"] | str | None = None
    """The broadcast month in which a makegood is billed: that of the booked spot, or that of its airing. aired if omitted."""
    external_ref: str | None = None
    """The seller's own reference, unique per seller. Buyers never see it."""


class AgreementList(Model):
    items: list[Agreement]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class Allocation(Model):
    date: date_aliased
    """An air date, YYYY-MM-DD."""
    units: int
    """The number of units."""


class AnswerMakegood(Model):
    action: Literal["accept", "decline", "credit"] | str
    """accept: an offer; decline: what is offered; credit: asks for money instead."""
    offer_id: str | None = None
    """The accepted offer; it may be omitted if there is only one."""
    version: int
    """The version that is answered. With another the reply is 409 INVALID_STATE."""
    note: str | None = None
    """Words for the other party."""
    actor: str | None = None
    """Who answers; the buyer if omitted."""


class AnswerVariance(Model):
    action: Literal["accept", "dispute"] | str
    """accept or dispute."""
    actor: str | None = None
    """The name of the person or system that acts, for display. It is recorded verbatim and is not an identity."""
    note: str | None = None
    """A note that both sides read."""


class ApprovalRule(Model):
    id: str
    """The id of the rule."""
    when: RuleConditions
    """The conditions, all of which must hold. {} matches every order."""
    then: Literal["approve", "reject", "hold"] | str
    """The verdict of the rule: approve, reject, or hold for a person."""


class ApprovalRules(Model):
    rules: list[UsedApprovalRule]
    """The approval rules in order. The first rule that matches decides."""
    in_force: bool
    """Whether the rules decide, which they do while the profile says approval: rules."""


class Attachment(Model):
    upload_id: str
    """The id of an upload: one of the caller's, or a file of the order."""
    format: Literal["pdf", "xlsx", "csv"] | str
    """pdf, xlsx or csv."""
    role: Literal["buysheet", "traffic_instructions", "makegood_notice", "other"] | str
    """What the file is. This is a label only."""
    filename: str
    """The name of the file. It is recorded and never interpreted."""
    sha256: str
    """The SHA-256 of the bytes, in hexadecimal; null until they have arrived."""


class AudienceGuarantee(Model):
    unit_id: str
    """The line that guarantees the audience."""
    audience_code: str
    """The audience that impressions are counted in."""
    stream: str | None
    """The viewing that the posting policy of the line names; null if it names none."""
    guaranteed: float
    """The impressions that are guaranteed for the accepted units."""
    delivered: float | None
    """The impressions of final posts; null if the posting policy names no viewing."""
    shortfall: float | None
    """What is missing of the guaranteed impressions, at least 0; null if the posting policy names no viewing."""
    reason: Literal["policy_unstated"] | str | None = None
    """policy_unstated: the posting policy names no viewing."""


class Avail(Model):
    product_id: str
    """The id of a product in the seller's catalog."""
    period: Period
    """The day, ISO week or month that it covers."""
    state: Literal["available", "unavailable", "projected"] | str
    """available, unavailable or projected."""
    basis: Literal["measured", "modelled"] | str | None = None
    """measured or modelled."""
    sellout_level: float | None = None
    """The share of its own sales plan that the seller has sold, as a decimal fraction."""
    spots: AvailSpots | None = None
    """The count of a product that sells spots."""
    units: AvailUnits | None = None
    """The count of a product that is sold by audience guarantee only."""
    impressions: AvailImpressions | None = None
    """Impressions per spot by audience code, in absolute numbers, never in thousands."""


class AvailImpressions(Model):
    source: str
    """The source of the measurement."""
    stream: str
    """The viewing that the posting policy of the line names; null if it names none."""


class AvailImpressionsValue(Model):
    per_spot: float
    """The number of impressions of one spot."""


class AvailRate(Model):
    locked_rate_id: str
    """The id of a published price: one rate entry in one ISO week. An order line cites it unchanged."""
    spot_length: int
    """The length of a spot in seconds."""
    buy_type: Literal["preemptible", "non_preemptible", "audience_guaranteed", "fixed_position"] | str
    """The way in which the line is bought: preemptible, non_preemptible, audience_guaranteed or fixed_position."""
    market_class: Literal["scatter", "discounted"] | str
    """The market class: scatter or discounted."""
    advertiser_class: str
    """The class of advertiser that the price applies to."""
    clearance_tier: str | None = None
    """The clearance tier of the price."""
    rate_basis: Literal["per_unit", "cpm"] | str
    """per_unit or cpm, derived from the cost member that is present. A sent value is ignored."""
    gross_rate_unit: Money | None = None
    """The gross price of one unit, in major units of its currency. Exactly one of this and gross_rate_cpm."""
    gross_rate_cpm: Money | None = None
    """The gross price of a thousand impressions, in major units of its currency."""
    currency: str
    """The currency of the money, by its ISO 4217 code."""
    guaranteed_impressions: float | None = None
    """The number of impressions that one unit guarantees."""
    audience_code: str | None = None
    """The audience that impressions are counted in."""
    window: AvailRateWindow | None = None
    """The time in which the price can be ordered."""
    quote_expires_at: str | None = None
    """The UTC time at which the quote lapses. It cannot be accepted afterwards."""


class AvailRateWindow(Model):
    opens: str | None = None
    """The UTC time at which the window opens; immediately if omitted."""
    closes: str
    """The UTC time at which the window closes."""


class AvailSpots(Model):
    available: int
    """The number of spots or units that are left."""


class AvailUnits(Model):
    available: int
    """The number of spots or units that are left."""


class AvailsAnswered(Model):
    event_type: Literal["catalog.avails_answered"]
    """The type of the event."""
    event_id: str
    """The id of the event, the same on every delivery."""
    seller: str
    """The seller's tenant id."""
    occurred_at: datetime
    """The UTC time at which it happened, strictly increasing per order."""
    data: AvailsAnsweredData
    """What happened, in the shape of the type."""


class AvailsAnsweredData(Model):
    request_id: str
    """The id of an avails request."""
    product_id: str
    """The id of a product in the seller's catalog."""
    periods: list[Period]
    """The periods that the answer covers."""
    order_id: str | None = None
    """The platform's id of the order."""
    plan_id: str | None = None
    """The id of a plan that the seller posted for a proposal."""


class AvailsRead(Model):
    avails: list[AvailsReadAvail]
    """The avail entries. Each one is checked, and accepted or refused, on its own."""
    next_cursor: str | None = None
    """The cursor of the next page, null on the last; present only if limit or cursor is sent."""


class AvailsReadAvail(Model):
    product_id: str
    """The id of a product in the seller's catalog."""
    period: Period
    """The day, ISO week or month that it covers."""
    state: Literal["available", "unavailable", "projected"] | str | None = None
    """available, unavailable or projected."""
    basis: Literal["measured", "modelled"] | str | None = None
    """measured or modelled."""
    sellout_level: float | None = None
    """The share of its own sales plan that the seller has sold, as a decimal fraction."""
    spots: AvailsReadAvailSpots | None = None
    """The count of a product that sells spots."""
    units: AvailsReadAvailUnits | None = None
    """The count of a product that is sold by audience guarantee only."""
    impressions: AvailsReadAvailImpressions | None = None
    """Impressions per spot by audience code, in absolute numbers, never in thousands."""
    avails_policy: Literal["published", "on_request", "withheld"] | str | None = None
    """published: on the avails read. on_request: answered on request. withheld: never shown."""
    rates: list[AvailRate]
    """The prices that an order line can cite."""


class AvailsReadAvailImpressions(Model):
    source: str
    """The source of the measurement."""
    stream: str
    """The viewing that the posting policy of the line names; null if it names none."""


class AvailsReadAvailImpressionsValue(Model):
    per_spot: float
    """The number of impressions of one spot."""


class AvailsReadAvailSpots(Model):
    available: int
    """The number of spots or units that are left."""


class AvailsReadAvailUnits(Model):
    available: int
    """The number of spots or units that are left."""


class AvailsReply(Model):
    result: Literal["success", "partial", "none"] | str
    """success: every entry was accepted; partial: some were; none: nothing was published. The status is 200 in each case."""
    accepted: int
    """The number of entries accepted."""
    rejected: int
    """The number of entries refused."""
    errors: list[EntryError]
    """Every fault that was found."""
    warnings: list[EntryWarning]
    """What the sender should know. Nothing was refused because of it."""
    effect: PublishEffect | None = None
    """What the publish would change; on a dry run only."""
    basis: str | None = None
    """The state that the effect was computed from, on a dry run only: send it as If-Match with the publish."""


class AvailsRequest(Model):
    product_id: str
    """The id of a product in the seller's catalog."""
    period: Period
    """The day, ISO week or month that it covers."""
    note: str | None = None
    """A note to the seller."""
    agreement: str | None = None
    """The agreement that is presented with the request."""


class AvailsRequestList(Model):
    items: list[AvailsRequestListItem]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class AvailsRequestListItem(Model):
    product_id: str
    """The id of a product in the seller's catalog."""
    period: Period
    """The day, ISO week or month that it covers."""
    note: str | None = None
    """A note to the seller."""
    agreement: str | None = None
    """The agreement that is presented with the request."""
    request_id: str
    """The id of an avails request."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    requested_at: datetime
    """The UTC time at which the buyer asked."""


class AvailsRequestReply(Model):
    request_id: str
    """The id of an avails request."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class AvailsUpdate(Model):
    avails: list[Avail]
    """The avail entries. Each one is checked, and accepted or refused, on its own."""


class BuyerAgreement(Model):
    agreement_id: str
    """The id of the agreement between the seller and the buyer."""
    seller: str
    """The seller's tenant id."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    status: Literal["active", "ended"] | str
    """active or ended."""
    effective: DateRange
    """The dates between which it is in force, both inclusive."""
    settlement_mode: Literal["direct", "cleared"] | str
    """direct, or cleared through the platform. It is resolved from the agreement."""
    currency: str
    """The currency of the money, by its ISO 4217 code."""
    credit_limit: Money | None = None
    """The highest total of cleared orders at any time, in major units of the currency; no limit if null or omitted."""
    commitment_gross: Money | None = None
    """The gross that the buyer has committed to book, in major units of the currency."""
    permitted_buy_types: (
        list[
            Literal[
                "preemptible",
                "non_preemptible",
                "audience_guaranteed",
                "fixed_position",
            ]
            | str
        ]
        | None
    ) = None
    """The values permitted under the agreement; no restriction if omitted or empty."""
    permitted_grains: list[Literal["day", "week", "month"] | str] | None = None
    """The values permitted under the agreement; no restriction if omitted or empty."""
    catalog_scope: Literal["*"] | str | list[str]
    """The by_agreement products that the agreement unlocks, or * for all of them. It never hides open products."""
    disclosure_overrides: list[DisclosureOverride] | None = None
    """What is published to this buyer, in place of the products' own disclosure."""
    posting_policy_overrides: list[PostingPolicyOverride] | None = None
    """The posting policies for this buyer, in place of the products' own."""
    cancellation_terms: CancellationTerms | None = None
    """The notice and the fee of a cancellation. An order keeps the terms it was created with."""
    edi: EdiDelivery | None = None
    """The delivery of order documents to the agency's billing system; none if omitted. Setting or changing it needs the scope orders:approve as well. A marketplace that sends no mail refuses it."""
    agency_commission_pct: float | None = None
    """The agency's commission, in percent of the gross of an invoice, as it is when the invoice is issued; 0 if omitted."""
    reconciliation: ReconciliationMinutes | None = None
    """Within how many minutes the spots of orders are matched with what aired and was billed. A change reconciles the orders again."""
    makegood_guidelines: MakegoodGuidelinesOutput | None = None
    """When the platform accepts an offered makegood in the place of the buyer; a person decides on every offer if omitted."""
    makegood_billing: Literal["booked", "aired"] | str | None = None
    """The broadcast month in which a makegood is billed: that of the booked spot, or that of its airing. aired if omitted."""


class BuyerAgreementList(Model):
    items: list[BuyerAgreement]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class BuyerMetadata(Model):
    advertiser_id: str
    """The buyer's id of the advertiser."""
    campaign_id: str | None = None
    """The buyer's id of the campaign."""
    estimate_id: str | None = None
    """The agency's estimate, echoed on delivery to its billing system."""
    buyer_contact: BuyerMetadataBuyerContact | None = None
    """The contact on the buyer side for the seller. The platform contacts nobody."""


class BuyerMetadataBuyerContact(Model):
    name: str | None = None
    """A name for display."""
    email: str | None = None
    """An email address. Its format is not checked."""
    phone: str | None = None
    """A telephone number. Its format is not checked."""


class BuyerStanding(Model):
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    status: Literal["active", "suspended"] | str
    """active, or suspended: creates by this buyer are refused."""
    allowlisted: bool
    """Whether the buyer may order from a seller that only takes listed buyers."""


class BuyerStandingList(Model):
    items: list[BuyerStanding]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class CancelOrder(Model):
    actor: str | None = None
    """The name of the person or system that acts, for display. It is recorded verbatim and is not an identity."""
    reason: str | None = None
    """The reason, in the words of the person or system that acted."""
    as_of: datetime | None = None
    """The UTC time of the figures. On commands, in the sandbox only, the time that windows are measured against."""
    last_seq: int | None = None
    """The last_seq of the order as you read it. If the order has changed since, the reply is 409 INVALID_STATE."""


class CancelReply(Model):
    order_id: str
    """The platform's id of the order."""
    status: Literal["canceled"] | str
    """The current status."""
    last_seq: int
    """The seq of the last event of the order."""
    cancellation: Cancellation
    """The reason for the cancellation, who canceled, and whether it was in time."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class Cancellation(Model):
    reason: str
    """The reason, in the words of the person or system that acted."""
    actor: str
    """The name of the person or system that acts, for display. It is recorded verbatim and is not an identity."""
    late_notice: Literal["on_time", "late", "not_applicable"] | str
    """on_time, late or not_applicable."""
    notice: CancellationNotice | None = None
    """The figures of the notice, if terms are attached."""


class CancellationNotice(Model):
    terms: CancellationTerms
    """The terms that the notice was measured against."""
    measured_at: str
    """The UTC time at which the notice was measured."""
    first_air_date: date_aliased
    """The first air date of the order, YYYY-MM-DD."""
    notice_days_given: int
    """The time from the cancellation to the first air date, in calendar days."""
    notice_days_required: int
    """The notice that the terms require, in calendar days."""
    fee_pct: float | None = None
    """The fee in percent of the accepted gross."""
    fee_amount: Money | None = None
    """The fee in major units of the currency."""


class CancellationTerms(Model):
    notice_days: int
    """The notice required before the first air date, in calendar days."""
    late_fee_pct: float | None = None
    """The fee of a late cancellation, in percent of the accepted gross."""


class Capabilities(Model):
    transports: CapabilitiesTransports
    """The ways in which the platform reaches the seller."""
    modes: CapabilitiesModes
    """The workflows that the seller accepts."""
    approval: Literal["console", "api", "rules", "pull"] | str
    """The gate that decides: console, api, rules or pull."""
    sla: CapabilitiesSla
    """The time in which the seller decides, and the lead time that it needs."""
    rate_management: CapabilitiesRateManagement
    """The way in which the seller manages its prices."""
    realtime_availability: bool
    """Whether the platform asks the seller's API for availability at every order."""
    negotiation: bool
    """Whether the seller makes counters."""
    holds: bool
    """Whether the seller keeps inventory on hold."""
    notices_from_logs: bool | None = None
    """Whether a spot that a log says is preempted, before its date or after it, begins a makegood by itself; no if omitted."""
    quote_ttl_minutes: int
    """The default lifetime of a counter, in minutes."""
    access: Literal["open", "allowlist"] | str
    """open: every buyer may order. allowlist: only buyers that the seller lists."""
    conformance_level: int
    """The computed conformance level of the seller, 0 to 4."""
    next_level: CapabilitiesNextLevel | None
    """The next level and what it needs; null on the highest level."""
    warnings: list[CapabilitiesWarning] | None = None
    """What prevents the profile from working as declared; absent if nothing does."""


class CapabilitiesModes(Model):
    catalog: bool
    """Whether the seller accepts orders by lines."""
    proposal: bool
    """Whether the seller accepts requests for proposals."""
    document: bool
    """Whether the seller accepts orders by document."""


class CapabilitiesNextLevel(Model):
    level: int
    """proven: the money of every line stands in a total that ties. partial: of some lines, or only units do. contradicted: a total does not tie."""
    missing: list[str]
    """What the profile needs for that level."""


class CapabilitiesRateManagement(Model):
    rates: Literal["frozen_quarterly", "live"] | str
    """How often prices change: frozen_quarterly or live."""


class CapabilitiesSla(Model):
    max_decision_latency_minutes: int
    """The time in which the seller decides, in minutes."""
    min_lead_minutes: int
    """The minimum time between an order and its first air date, in minutes. Nearer air dates need a hold."""


class CapabilitiesTransports(Model):
    pull: CapabilitiesTransportsPull | None = None
    """The seller's own API, which the platform calls."""


class CapabilitiesTransportsPull(Model):
    base_url: str
    """The base URL of the seller's API."""
    secret_ref: str
    """The name of the secret that signs calls, stored with PUT /me/secrets/{name}."""
    max_concurrent: int | None = None
    """The number of calls of one kind that the server accepts at a time; 16 if omitted."""


class CapabilitiesWarning(Model):
    code: Literal["SECRET_MISSING"] | str
    """The code of the warning."""
    field: str
    """The member, as a dotted path."""
    message: str
    """The fault in one sentence."""


class CatalogRead(Model):
    seller: str
    """The seller's tenant id."""
    taxonomy_version: str | None
    """The version of the taxonomy that describes the products."""
    rate_version: str | None
    """The commit of the rate card that the order was priced against; on catalogs, the newest commit."""
    products: list[CatalogReadProduct]
    """The products that the caller may see."""
    buy_types: list[Literal["preemptible", "non_preemptible", "audience_guaranteed", "fixed_position"] | str]
    """Every buy type of the products shown."""
    rate_classes: list[str]
    """Every market class that the products shown are priced in."""


class CatalogReadProduct(Model):
    product_id: str
    """The id of a product in the seller's catalog."""
    type: str
    """The kind of product, which decides the shape of definition."""
    network: str
    """The network or station that the product airs on."""
    grains: list[Literal["day", "week", "month"] | str]
    """The period lengths that the product is sold by."""


class CatalogReply(Model):
    taxonomy_version: str
    """The version of the taxonomy that describes the products."""
    result: Literal["success", "partial", "none"] | str
    """success: every entry was accepted; partial: some were; none: nothing was published. The status is 200 in each case."""
    accepted: int
    """The number of entries accepted."""
    rejected: int
    """The number of entries refused."""
    errors: list[EntryError]
    """Every fault that was found."""
    warnings: list[EntryWarning]
    """What the sender should know. Nothing was refused because of it."""
    effect: PublishEffect | None = None
    """What the publish would change; on a dry run only."""
    basis: str | None = None
    """The state that the effect was computed from, on a dry run only: send it as If-Match with the publish."""


class CatalogUpdate(Model):
    taxonomy_version: str
    """The version of the taxonomy that describes the products."""
    products: list[Product]
    """The products. Each one is checked, and accepted or refused, on its own."""


class ChangeEndpoint(Model):
    url: str | None = None
    """The https URL that events are posted to."""
    events: (
        list[
            Literal[
                "order.status_changed",
                "catalog.rate_card_published",
                "catalog.window_opened",
                "catalog.avails_answered",
                "catalog.integrity_failed",
                "settlement.invoice_issued",
            ]
            | str
        ]
        | None
    ) = None
    """The event types to send; all types if omitted or null."""
    statuses: (
        list[
            Literal[
                "submitted",
                "validating",
                "needs_confirmation",
                "confirmed",
                "negotiating",
                "seller_review",
                "placed",
                "canceled",
                "rejected",
                "failed",
            ]
            | str
        ]
        | None
    ) = None
    """The order statuses to which order.status_changed is restricted; all statuses if omitted or null."""


class CitedEnded(Model):
    unit_id: str
    """The id of a line of the order."""
    locked_rate_id: str
    """The id of a published price: one rate entry in one ISO week. An order line cites it unchanged."""
    reason: Literal["lapsed", "replaced", "rejected", "withdrawn", "canceled"] | str
    """The reason, in the words of the person or system that acted."""


class ConfirmOrder(Model):
    action: Literal["confirm", "reject"] | str
    """The action to take."""
    actor: str
    """The name of the person or system that acts, for display. It is recorded verbatim and is not an identity."""
    plan_id: str | None = None
    """The id of a plan that the seller posted for a proposal."""
    reason: str | None = None
    """The reason, in the words of the person or system that acted."""
    last_seq: int | None = None
    """The last_seq of the order as you read it. If the order has changed since, the reply is 409 INVALID_STATE."""
    resolutions: list[Resolution] | None = None
    """What to order where the document was not understood, on document orders only."""
    remember: bool | None = None
    """Whether the answers are proposed for the next document with the same headings from this buyer to this seller."""
    acknowledge: list[str] | None = None
    """The totals of the document that do not tie and shall not keep its lines from being booked, by equation_id."""


class ConfirmPreview(Model):
    order_id: str
    """The platform's id of the order."""
    status: (
        Literal[
            "submitted",
            "validating",
            "needs_confirmation",
            "confirmed",
            "negotiating",
            "seller_review",
            "placed",
            "canceled",
            "rejected",
            "failed",
        ]
        | str
    )
    """The current status."""
    last_seq: int
    """The seq of the last event of the order."""
    booked_orders: list[str] | None = None
    """The ids of the orders that the plan was booked in."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""
    totals: Totals
    """The sums over the lines."""
    line_items: list[LineResult]
    """The lines of the order."""


class ConfirmReply(Model):
    order_id: str
    """The platform's id of the order."""
    status: (
        Literal[
            "submitted",
            "validating",
            "needs_confirmation",
            "confirmed",
            "negotiating",
            "seller_review",
            "placed",
            "canceled",
            "rejected",
            "failed",
        ]
        | str
    )
    """The current status."""
    last_seq: int
    """The seq of the last event of the order."""
    booked_orders: list[str] | None = None
    """The ids of the orders that the plan was booked in."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class CoveredInvoice(Model):
    invoice_number: str
    """The seller's number of the invoice."""
    invoice_date: date_aliased
    """The date of the invoice."""
    broadcast_month: str
    """The broadcast month: its weeks, Monday to Sunday, end on the last Sunday of the calendar month."""
    spots: int
    """The spots that the invoice bills of the order."""
    gross: Money
    """The gross that it bills of the order, in major units of the currency."""
    stated: StatedInvoice | None = None
    """What the invoice states of itself. Present if all its rows are of the order."""


class CreateCreative(Model):
    creative_code: str
    """The buyer's code of the creative."""
    name: str
    """A name for display."""
    length_seconds: int
    """The length of the creative in seconds."""


class CreateEndpoint(Model):
    url: str
    """The https URL that events are posted to."""
    events: (
        list[
            Literal[
                "order.status_changed",
                "catalog.rate_card_published",
                "catalog.window_opened",
                "catalog.avails_answered",
                "catalog.integrity_failed",
                "settlement.invoice_issued",
            ]
            | str
        ]
        | None
    ) = None
    """The event types to send; all types if omitted or null."""
    statuses: (
        list[
            Literal[
                "submitted",
                "validating",
                "needs_confirmation",
                "confirmed",
                "negotiating",
                "seller_review",
                "placed",
                "canceled",
                "rejected",
                "failed",
            ]
            | str
        ]
        | None
    ) = None
    """The order statuses to which order.status_changed is restricted; all statuses if omitted or null."""


class CreateHold(Model):
    seller: str
    """The seller's tenant id."""
    lines: list[HoldLine]
    """The lines: those of the order by unit_id, then fees."""
    ttl_minutes: int
    """The time for which the inventory is held, in minutes."""


class CreateOrder(Model):
    seller: str
    """The seller's tenant id."""
    external_order_id: str
    """The buyer's own id of the order, which is also its idempotency key. Every event echoes it."""
    rate_version: str
    """The commit of the rate card that the order was priced against; on catalogs, the newest commit."""
    buyer_metadata: BuyerMetadata
    """What the buyer says about the campaign."""
    line_items: list[LineItem] | None = None
    """The lines of the order."""
    request: ProposalRequest | None = None
    """The request for a proposal."""
    document: OrderDocument | None = None
    """The upload that a document order is made from."""
    attachments: list[Attachment] | None = None
    """Files beside the lines. They are never parsed."""
    issued_at: datetime | None = None
    """The time at which the buyer system issued the order; its offset is kept as sent. The notice of the order that it revises is measured at it."""
    flight: DateRange | None = None
    """The dates between which every air date must lie, both inclusive."""
    revision: CreateOrderRevision | None = None
    """The order that this one revises."""
    settlement_mode: Literal["direct", "cleared"] | str | None = None
    """direct, or cleared through the platform. It is resolved from the agreement."""
    notify_url: str | None = None
    """A registered endpoint of the buyer that receives this order's events regardless of its filters."""
    agreement_id: str | None = None
    """The id of the agreement between the seller and the buyer."""
    buyer_entity: str | None = None
    """The buyer's tenant id, derived from the credential."""
    buyer_requests: CreateOrderBuyerRequests | None = None
    """Requests of the buyer. They are recorded and shown at the approval, and never scheduled around."""


class CreateOrderBuyerRequests(Model):
    min_separation_seconds: int | None = None
    """The separation between two spots of the campaign, in seconds."""
    scope: Literal["campaign"] | str | None = None
    """The scope of the separation: campaign."""


class CreateOrderRevision(Model):
    supersedes: str
    """The id of the order that is revised."""


class CreateUpload(Model):
    filename: str
    """The name of the file. It is recorded and never interpreted."""
    format: Literal["pdf", "xlsx", "csv"] | str
    """pdf, xlsx or csv."""
    size_bytes: int
    """The size in bytes."""


class Creative(Model):
    creative_id: str
    """The id of a creative in the buyer's registry."""
    creative_code: str
    """The buyer's code of the creative."""
    name: str
    """A name for display."""
    length_seconds: int
    """The length of the creative in seconds."""
    status: Literal["active", "archived"] | str
    """The current status."""
    created_at: datetime
    """The UTC time at which it was created."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class CreativeList(Model):
    items: list[Creative]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class CredentialRead(Model):
    credential_id: str
    """The id of the credential, never its token."""
    entity: str
    """The tenant that it acts for; of an operator, the team."""
    side: Literal["buyer", "seller", "operator"] | str
    """The side that it acts on."""
    scopes: list[
        Literal[
            "orders:write",
            "orders:approve",
            "catalog:write",
            "webhooks:write",
            "settlement:write",
            "settlement:read",
            "audit:read",
            "ops:write",
            "ops:read",
            "orders:read",
            "catalog:read",
        ]
        | str
    ]
    """Its scopes, those included that others imply."""
    expires_at: datetime | None
    """The UTC time at which it expires; null if it does not."""
    person: str | None
    """The person who is signed in with it; null if it is a program."""
    mode: Literal["sandbox", "production"] | str
    """Whether the marketplace is a sandbox."""
    server_time: datetime
    """The UTC time of the service, to compare clocks with."""


class Credit(Model):
    agreement_id: str
    """The id of the agreement between the seller and the buyer."""
    currency: str
    """The currency of the money, by its ISO 4217 code."""
    credit_limit: Money | None
    """The highest total of cleared orders at any time, in major units of the currency; no limit if null or omitted."""
    exposure: Money
    """The current total of cleared orders, in major units of the currency."""
    available: Money | None
    """credit_limit minus exposure, in major units of the currency; null without a limit."""
    as_of: datetime
    """The UTC time of the figures. On commands, in the sandbox only, the time that windows are measured against."""


class CreditedUnits(Model):
    unit_id: str
    """The line of the order."""
    date: date_aliased
    """The date on which the line books them."""
    units: int
    """How many units."""
    network: str
    """The network on which they are booked."""
    gross: Money
    """What they cost at the locked rate, in major units of the currency."""
    broadcast_month: str
    """The month whose invoice is credited."""
    invoice_id: str | None = None
    """The credit note, once there is an invoice to credit."""


class DateRange(Model):
    """Dates from start to end, both included."""

    start: date_aliased
    """The first date, YYYY-MM-DD."""
    end: date_aliased
    """The last date, YYYY-MM-DD."""


class DayPeriod(Model):
    grain: Literal["day"]
    """The length of the period: day, week or month."""
    start: date_aliased
    """The date, YYYY-MM-DD."""


class DaypartDefinition(Model):
    selling_title: str
    """The title under which the daypart or rotator is sold."""
    days: list[Literal["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] | str]
    """Days of the week, Mon to Sun."""
    start: str
    """The first date (YYYY-MM-DD), or the time of day at which it starts (HH:MM in its time zone)."""
    end: str
    """The last date (YYYY-MM-DD), or the time of day at which it ends (HH:MM in its time zone); an end before the start is after midnight."""
    timezone: str
    """An IANA time zone, such as America/Chicago."""


class DaypartNewProduct(Model):
    name: str | None = None
    """A name for display."""
    network: str
    """The network or station that the product airs on."""
    effective: DateRange | None = None
    """The dates between which it is in force, both inclusive."""
    currencies: list[str] | None = None
    """Audience codes that impressions are counted in, never money currencies. The list may be empty."""
    buy_types: list[Literal["preemptible", "non_preemptible", "audience_guaranteed", "fixed_position"] | str]
    """The ways in which the product can be bought."""
    grains: list[Literal["day", "week", "month"] | str] | None = None
    """The period lengths that the product is sold by."""
    visibility: Literal["open", "by_agreement"] | str | None = None
    """open: every buyer sees it. by_agreement: only buyers whose agreement unlocks it."""
    disclosure: Disclosure | None = None
    """The prices and avails of the product that are published."""
    posting_policy: str | None = None
    """The policy by which deliveries of the product are posted, in the seller's words."""
    reporting_dayparts: (
        list[
            Literal[
                "early_morning",
                "daytime",
                "primetime",
                "late_night",
                "overnight",
                "weekend",
            ]
            | str
        ]
        | None
    ) = None
    """Dayparts for reports. They are descriptive only."""
    external_ref: str | None = None
    """The seller's own reference, unique per seller. Buyers never see it."""
    billboard: dict[str, Any] | None = None
    """Information about billboards. Nothing is validated or priced by it."""
    spot_lengths: list[int] | None = None
    """The spot lengths that the product is sold in, in seconds."""
    advertiser_classes: list[str] | None = None
    """The advertiser classes that the product is priced for."""
    mirror_product_id: str | None = None
    """The id of the product in which every spot also airs if a line asks for it."""
    type: Literal["daypart"]
    """The kind of product, which decides the shape of definition."""
    definition: DaypartDefinition
    """The days and times at which the product airs, in the shape of its type."""


class DaypartProduct(Model):
    product_id: str
    """The id of a product in the seller's catalog."""
    status: Literal["available", "withdrawn"] | str | None = None
    """withdrawn: no buyer sees the product and no new order can book it. available if omitted."""
    name: str | None = None
    """A name for display."""
    network: str
    """The network or station that the product airs on."""
    effective: DateRange | None = None
    """The dates between which it is in force, both inclusive."""
    currencies: list[str] | None = None
    """Audience codes that impressions are counted in, never money currencies. The list may be empty."""
    buy_types: list[Literal["preemptible", "non_preemptible", "audience_guaranteed", "fixed_position"] | str]
    """The ways in which the product can be bought."""
    grains: list[Literal["day", "week", "month"] | str] | None = None
    """The period lengths that the product is sold by."""
    visibility: Literal["open", "by_agreement"] | str | None = None
    """open: every buyer sees it. by_agreement: only buyers whose agreement unlocks it."""
    disclosure: Disclosure | None = None
    """The prices and avails of the product that are published."""
    posting_policy: str | None = None
    """The policy by which deliveries of the product are posted, in the seller's words."""
    reporting_dayparts: (
        list[
            Literal[
                "early_morning",
                "daytime",
                "primetime",
                "late_night",
                "overnight",
                "weekend",
            ]
            | str
        ]
        | None
    ) = None
    """Dayparts for reports. They are descriptive only."""
    external_ref: str | None = None
    """The seller's own reference, unique per seller. Buyers never see it."""
    billboard: dict[str, Any] | None = None
    """Information about billboards. Nothing is validated or priced by it."""
    spot_lengths: list[int] | None = None
    """The spot lengths that the product is sold in, in seconds."""
    advertiser_classes: list[str] | None = None
    """The advertiser classes that the product is priced for."""
    mirror_product_id: str | None = None
    """The id of the product in which every spot also airs if a line asks for it."""
    type: Literal["daypart"]
    """The kind of product, which decides the shape of definition."""
    definition: DaypartDefinition
    """The days and times at which the product airs, in the shape of its type."""


class DecideOrder(Model):
    decision: Literal["approve", "reject", "counter"] | str
    """approve, reject or counter."""
    actor: str
    """The name of the person or system that acts, for display. It is recorded verbatim and is not an identity."""
    units: list[DecideOrderUnit] | None = None
    """The lines that the decision names. The other lines follow the decision."""
    reason: str | None = None
    """The reason, in the words of the person or system that acted."""
    last_seq: int | None = None
    """The last_seq of the order as you read it. If the order has changed since, the reply is 409 INVALID_STATE."""
    seller_order_id: str | None = None
    """The seller's own id of the order. The platform generates one if none is sent."""


class DecideOrderUnit(Model):
    unit_id: str
    """The id of a line of the order."""
    action: Literal["accept", "counter", "reject"] | str
    """The action to take."""
    num_accepted: int | None = None
    """The number of units that the seller accepted."""
    counter: DecideOrderUnitCounter | None = None
    """What the seller offers in place of the line."""
    reason: str | None = None
    """Why this line; without it the reason of the decision stands on a line that is not accepted."""


class DecideOrderUnitCounter(Model):
    week: str
    """An ISO week, YYYY-Www. A rate entry without a week covers every week of its commit."""
    unit_cost: Money | None = None
    """The gross price of one unit, in major units of its currency. Exactly one of this and cpm."""
    cpm: Money | None = None
    """The gross price of a thousand impressions, in major units of its currency."""
    quote_expires_at: datetime | None = None
    """The UTC time at which the quote lapses. It cannot be accepted afterwards."""


class DecidePreview(Model):
    order_id: str
    """The platform's id of the order."""
    status: (
        Literal[
            "submitted",
            "validating",
            "needs_confirmation",
            "confirmed",
            "negotiating",
            "seller_review",
            "placed",
            "canceled",
            "rejected",
            "failed",
        ]
        | str
    )
    """The current status."""
    last_seq: int
    """The seq of the last event of the order."""
    units_accepted: int
    """The number of lines accepted."""
    units_countered: int
    """The number of lines with an open counter."""
    units_rejected: int
    """The number of lines rejected."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""
    totals: Totals
    """The sums over the lines."""


class DecideReply(Model):
    order_id: str
    """The platform's id of the order."""
    status: (
        Literal[
            "submitted",
            "validating",
            "needs_confirmation",
            "confirmed",
            "negotiating",
            "seller_review",
            "placed",
            "canceled",
            "rejected",
            "failed",
        ]
        | str
    )
    """The current status."""
    last_seq: int
    """The seq of the last event of the order."""
    units_accepted: int
    """The number of lines accepted."""
    units_countered: int
    """The number of lines with an open counter."""
    units_rejected: int
    """The number of lines rejected."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class DecisionLatency(Model):
    since: datetime
    """The UTC time at which it began."""
    due_by: datetime
    """The UTC time by which it is due."""
    seconds: int
    """The duration in whole seconds."""
    overdue: bool
    """Whether it is past due_by."""


class DecisionRecord(Model):
    gate: Literal["console", "api", "rule", "pull", "acceptance_band"] | str
    """The gate that the decision came through: console, api, rule, pull or acceptance_band."""
    actor: str
    """The name of the person or system that acts, for display. It is recorded verbatim and is not an identity."""
    decision: Literal["approve", "reject", "counter", "confirm", "accept"] | str
    """approve, reject or counter."""
    reason: str | None = None
    """The reason, in the words of the person or system that acted."""
    seller_order_id: str | None = None
    """The seller's own id of the order. The platform generates one if none is sent."""
    acknowledged: list[str] | None = None
    """The totals of a document that do not tie and that the buyer acknowledged, by equation_id."""
    answers: list[DecisionRecordAnswer] | None = None
    """The buyer's answers to the questions about its document."""
    omitted: list[DecisionRecordOmittedItem] | None = None
    """The lines of the buyer's document that it left out."""


class DecisionRecordAnswer(Model):
    question_id: str
    """The id by which a confirm answers the question."""
    choice: str
    """The answer."""


class DecisionRecordOmittedItem(Model):
    line: int
    """The number of the line in the document, from 1."""
    read: ReadLine
    """What the document says."""
    note: str | None = None
    """A note to the seller."""


class Delivery(Model):
    delivery_id: str
    """The id of one delivery of one event to one endpoint."""
    event_type: (
        Literal[
            "order.status_changed",
            "catalog.rate_card_published",
            "catalog.window_opened",
            "catalog.avails_answered",
            "catalog.integrity_failed",
            "settlement.invoice_issued",
            "webhook.test",
        ]
        | str
    )
    """The type of the event."""
    event_id: str
    """The id of the event, the same on every delivery."""
    order_id: str | None = None
    """The platform's id of the order."""
    seq: int | None = None
    """The position of the event in the log of its order, from 1 without gaps."""
    status: Literal["pending", "delivered", "dropped"] | str
    """pending, delivered, or dropped after the last attempt."""
    dropped_reason: (
        Literal[
            "attempts_failed",
            "gone",
            "too_late",
            "endpoint_deleted",
            "endpoint_disabled",
            "event_missing",
        ]
        | str
        | None
    ) = None
    """The reason why it was dropped. attempts_failed: no attempt got a 2xx reply. gone: the receiver replied 410. too_late: 25.5 seconds had passed since its first attempt before the next could begin. endpoint_deleted, endpoint_disabled: it was still waiting. event_missing: the event is no longer in the log."""
    redelivery_of: str | None = None
    """The id of the delivery that this one sends again."""
    created_at: datetime
    """The UTC time at which it was created."""
    attempts: list[DeliveryAttempt]
    """The attempts, at most three."""


class DeliveryAttempt(Model):
    at: datetime
    """The UTC time at which the attempt was made."""
    status_code: int | None = None
    """The HTTP status of the reply; absent if there was none."""
    error: str | None = None
    """The reason why there was no reply: refused_address (the name resolves to an address that the platform does not call), dns, connect, tls, timeout, reset or protocol. Values may be added."""
    latency_ms: int
    """The time until the reply or the failure, in milliseconds."""


class DeliveryList(Model):
    items: list[Delivery]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class Disclosure(Model):
    pricing_policy: Literal["published", "quote"] | str | None = None
    """published: prices are on the rate card. quote: prices are quoted per campaign."""
    avails_policy: Literal["published", "on_request", "withheld"] | str | None = None
    """published: on the avails read. on_request: answered on request. withheld: never shown."""


class DisclosureOverride(Model):
    product_id: str
    """The id of a product in the seller's catalog."""
    pricing_policy: Literal["published", "quote"] | str | None = None
    """published: prices are on the rate card. quote: prices are quoted per campaign."""
    avails_policy: Literal["published", "on_request", "withheld"] | str | None = None
    """published: on the avails read. on_request: answered on request. withheld: never shown."""


class DocumentEquation(Model):
    equation_id: str
    """The id by which a confirm acknowledges that the total does not tie."""
    of: Literal["gross", "units"] | str
    """gross or units."""
    lines: list[int] | None = None
    """The lines: those of the order by unit_id, then fees."""
    cells: list[str]
    """The place of the total, then the places of what it sums; at most 200."""
    stated: float
    """What the invoice states of itself. Present if all its rows are of the order."""
    computed: float
    """The sum of the lines, in units or in major units of the currency."""
    ties: bool
    """Whether the two totals agree."""


class DocumentLine(Model):
    line: int
    """The number of the line in the document, from 1."""
    read: ReadLine
    """What the document says about the line."""
    doubts: list[LineDoubt] | None = None
    """What may be read wrong. The line is unresolved until a resolution states it."""
    line_item: DocumentLineLineItem | None
    """What a confirm would order; null while anything is unresolved."""


class DocumentLineLineItem(Model):
    product_id: str
    """The id of a product in the seller's catalog."""
    period: Period
    """The day, ISO week or month that it covers."""
    units: int
    """The number of units."""
    num_requested: int | None = None
    """The impressions goal that the units answer."""
    spot_length: int
    """The length of a spot in seconds."""
    rate: RateRead
    """The price of the line."""


class DocumentPage(Model):
    layout: Literal["grid", "page"] | str
    """The layout of the document."""
    name: str | None = None
    """The name of a sheet of a workbook."""
    texts: list[PageText]
    """Its texts, in the order in which the file has them."""


class DocumentPages(Model):
    upload_id: str
    """The id of an upload: one of the caller's, or a file of the order."""
    format: Literal["pdf", "xlsx", "csv"] | str
    """pdf, xlsx or csv."""
    pages: list[DocumentPage]
    """Its pages or sheets, in their order."""
    left_out: int
    """How many texts are left out, since the document has more than are kept."""


class DocumentParse(Model):
    name: Literal["document_parse"]
    """A name for display."""
    seq: int
    """The position of the event in the log of its order, from 1 without gaps."""
    upload_id: str
    """The id of an upload: one of the caller's, or a file of the order."""
    format: Literal["pdf", "xlsx", "csv"] | str
    """pdf, xlsx or csv."""
    lines: list[DocumentLine]
    """The lines: those of the order by unit_id, then fees."""
    unresolved: list[UnresolvedValue]
    """What could not be resolved, with the published candidates."""
    totals: list[DocumentTotal]
    """The totals that the document states."""
    proof: DocumentProof | None = None
    """What the totals of the document prove of its reading."""
    layout: DocumentParseLayout | None = None
    """The headings of the document: documents with the same ones have the same fingerprint."""
    questions: list[DocumentQuestion] | None = None
    """What is asked about the document, once for all lines that it concerns."""
    ignored: list[DocumentParseIgnoredItem] | None = None
    """Rows that order nothing, and why: total, canceled, unknown."""


class DocumentParseIgnoredItem(Model):
    row: str
    """The row, in its words."""
    at: str
    """The time of the action; a UTC time."""
    reason: str
    """Why the row orders nothing."""


class DocumentParseLayout(Model):
    family: (
        Literal[
            "week_columns",
            "day_columns",
            "month_columns",
            "row_a_week",
            "days_of_a_week",
            "weeks_below",
            "weeks_times_spots",
            "dated_rows",
        ]
        | str
        | None
    ) = None
    """How the document says when its lines air: week_columns, day_columns, month_columns, row_a_week, days_of_a_week, weeks_below, weeks_times_spots or dated_rows; absent if its tables differ."""
    fingerprint: str
    """The name of the layout: documents with the same headings have the same."""


class DocumentProof(Model):
    level: Literal["proven", "partial", "unproven", "contradicted"] | str
    """proven: the money of every line stands in a total that ties. partial: of some lines, or only units do. contradicted: a total does not tie."""
    equations: list[DocumentEquation]
    """The totals as equations, in their order."""


class DocumentQuestion(Model):
    question_id: str
    """The id by which a confirm answers the question."""
    kind: Literal["option", "role", "basis", "product", "fee", "bonus", "year", "weeks", "row"] | str
    """What is asked: option, role, basis, product, fee, bonus, year, weeks or row."""
    message: str
    """The fault in one sentence."""
    at: str
    """The time of the action; a UTC time."""
    lines: list[int]
    """The lines that wait for the answer."""
    choices: list[QuestionChoice]
    """The answers to choose from; empty where the lines are to be stated one by one."""
    label: str | None = None
    """The words by which the answer is remembered for documents with the same headings."""
    proposed: str | None = None
    """The choice that was remembered. It is not applied until a confirm sends it."""


class DocumentTotal(Model):
    of: Literal["gross", "units"] | str
    """gross or units."""
    lines: list[int] | None = None
    """The lines that the total covers."""
    read: str
    """What the document says."""
    at: str
    """The time of the action; a UTC time."""
    stated: float
    """What the invoice states of itself. Present if all its rows are of the order."""
    computed: float
    """The sum of the lines, in units or in major units of the currency."""
    fees: float | None = None
    """The part of computed that is of fees, which no line books."""
    ties: bool
    """Whether the two totals agree."""


class DropError(Model):
    file: str
    """The name of the file."""
    row: int
    """The row: of csv and xlsx the header is 1, of parquet and json the first entry is 1. 0 is the whole file."""
    error_code: (
        Literal[
            "UNKNOWN_PRODUCT_ID",
            "INVALID_ENTRY",
            "INVALID_HEADER",
            "UNREADABLE_FILE",
            "SHA256_MISMATCH",
            "FILE_MISSING",
            "INVALID_INPUT",
            "CONFLICT",
            "GRAIN_CONFLICT",
            "DUPLICATE_EXTERNAL_REF",
        ]
        | str
    )
    """The code of the error."""
    field: str | None = None
    """The member, as a dotted path."""
    value: Any
    """The value as it was understood."""
    message: str
    """The fault in one sentence."""


class DropFile(Model):
    filename: str
    """The name of the file in the drop."""
    sha256: str
    """The SHA-256 of the bytes that were stored, in hexadecimal."""
    size_bytes: int
    """The size in bytes."""


class DropList(Model):
    items: list[DropSummary]
    """The entries of the page."""
    waiting: list[DropSummary]
    """On the first page: up to 100 drops whose manifest.json has landed and is not registered yet, the newest first. None where status asks for ended ones."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class DropReceipt(Model):
    drop_id: str
    """The seller's own name for the drop, which is also the folder of its files."""
    status: Literal["processing", "success", "partial", "rejected"] | str
    """processing, or the status of the original whose result is replayed."""
    results_uri: str
    """The path, /v1 included, at which the result is read."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class DropResult(Model):
    drop_id: str
    """The seller's own name for the drop, which is also the folder of its files."""
    status: Literal["processing", "success", "partial", "rejected"] | str
    """processing; success: no errors; partial: some rows were refused; rejected: nothing was written."""
    stage: Literal["manifest", "fetch", "publish", "avails", "posts", "finish", "ended"] | str
    """What the run works on: fetch, publish (catalog and rate cards), avails, posts, finish; ended when it has ended. manifest: a manifest.json has landed and is not registered yet."""
    rows_written: int
    """The number of rows that were accepted."""
    rows_rejected: int
    """The number of rows that were refused."""
    registered_at: datetime
    """The UTC time at which the manifest was registered; in stage manifest that at which it was first seen."""
    ended_at: datetime | None
    """The UTC time at which the run ended; null until then."""
    reason: str | None = None
    """Why the run does not go on, while it does not. Of a manifest.json: waiting_for_files, hashing_files, daily_limit."""
    replay_of: str | None = None
    """The drop_id of the earlier drop with the same files, whose result this is; absent where it has a run of its own."""
    counts: dict[str, RowCounts]
    """The rows of each type so far. A type without files is absent."""
    errors: list[DropError]
    """The refused rows, in the order in which they were found; empty until the run has ended. In stage manifest: what the manifest.json waits for."""
    errors_truncated: bool
    """More errors were found than the 10000 that are listed."""
    warnings: list[DropWarning]
    """At most 1000."""
    mappings: list[MappedFile] | None = None
    """The files that were read by a mapping, with its name and its version at the registration. Absent where none was."""


class DropSummary(Model):
    drop_id: str
    """The seller's own name for the drop, which is also the folder of its files."""
    status: Literal["processing", "success", "partial", "rejected"] | str
    """processing; success: no errors; partial: some rows were refused; rejected: nothing was written."""
    stage: Literal["manifest", "fetch", "publish", "avails", "posts", "finish", "ended"] | str
    """What the run works on: fetch, publish (catalog and rate cards), avails, posts, finish; ended when it has ended. manifest: a manifest.json has landed and is not registered yet."""
    rows_written: int
    """The number of rows that were accepted."""
    rows_rejected: int
    """The number of rows that were refused."""
    registered_at: datetime
    """The UTC time at which the manifest was registered; in stage manifest that at which it was first seen."""
    ended_at: datetime | None
    """The UTC time at which the run ended; null until then."""
    reason: str | None = None
    """Why the run does not go on, while it does not. Of a manifest.json: waiting_for_files, hashing_files, daily_limit."""
    replay_of: str | None = None
    """The drop_id of the earlier drop with the same files, whose result this is; absent where it has a run of its own."""
    results_uri: str
    """The path, /v1 included, at which the result is read."""


class DropWarning(Model):
    file: str
    """The name of the file."""
    row: int
    """The row: of csv and xlsx the header is 1, of parquet and json the first entry is 1. 0 is the whole file."""
    code: str
    """The code of the warning."""
    message: str
    """The fault in one sentence."""


class EdiAttempt(Model):
    at: datetime
    """The UTC time at which the attempt began."""
    outcome: Literal["accepted", "refused", "deferred", "unreachable"] | str
    """accepted; refused for good; deferred: refused for now; unreachable: no answer."""
    code: int | None = None
    """The reply code of the mail server; absent if there was none. The server's words are not kept."""
    enhanced: str | None = None
    """The enhanced status code of the mail server (RFC 3463); absent if there was none."""
    latency_ms: int
    """The time until the reply or the failure, in milliseconds."""


class EdiDelivery(Model):
    to: str
    """The mail address of the billing system. It is one address; lists are kept by the agency."""
    formats: list[Literal["scx", "csv"] | str] | None = None
    """The forms that a mail carries; scx if omitted."""
    buy_type: Literal["daily", "weekly"] | str | None = None
    """What a week of a document is: one date, or the Monday of its week. daily if omitted."""
    nsi_id: int | None = None
    """The NSI market id of the documents; 0 if omitted."""
    syscode: str | None = None
    """The syscode of the system that airs the orders; 0000 if omitted."""
    makegoods: bool | None = None
    """Whether a mail tells of every change of a makegood, in text and as csv; false if omitted."""
    system_name: str | None = None
    """The name of that system; National if omitted."""


class EdiMail(Model):
    message_id: str
    """The id of the mail, which is also the local part of its Message-ID."""
    document: Literal["confirmed", "revised", "cancelled", "makegood"] | str
    """confirmed: the order was placed. revised: it was placed instead of an order of which a mail went. cancelled: it was canceled after that."""
    document_id: str
    """The id of the document: documentCode in it, EDI-Document-Id in the mail. It stays when the document is sent again."""
    seq: int
    """The seq of the event of the order that the document is about."""
    to: str | None
    """The address, as it was at the first attempt; null before that."""
    status: Literal["queued", "sent", "failed", "bounced", "skipped"] | str
    """queued: it is tried until it goes or 72 hours have passed. sent: the mail server accepted it. failed: it did not go. bounced: it was accepted and came back. skipped: it was not needed."""
    status_reason: str | None = None
    """Why it failed, bounced or was skipped. refused: the mail server refused the address or the mail. expired: it did not go within 72 hours. invalid_document: the platform made a wrong document, at the path that follows. replaced: a revised document named this order. nothing_sent: no earlier mail of the order can have gone. The enhanced status code, if it bounced. Values may be added."""
    stuck: Literal["auth", "tls", "dns", "connect", "deferred"] | str | None
    """Why it does not go, from the third attempt on: auth, tls, dns, connect, or deferred (the mail server says later); null if nothing is wrong."""
    message_ref: str | None
    """The Message-ID of the mail, without angle brackets; null before its first attempt."""
    resend_of: str | None = None
    """The mail whose document this one sends again."""
    filename: str | None
    """The name of the attached document; null before the first attempt."""
    sha256: str | None
    """The SHA-256 of the attached document, in hexadecimal; null before the first attempt."""
    warnings: list[AnyEdiWarning]
    """What the receiver should know of the document, and members of the request that were ignored."""
    created_at: datetime
    """The UTC time of the event, or of the request to send it again."""
    due_at: datetime | None = None
    """The UTC time of the next attempt, while it is queued."""
    sent_at: datetime | None = None
    """The UTC time at which the mail server accepted it."""
    bounced_at: datetime | None = None
    """The UTC time at which it came back."""
    attempts: list[EdiAttempt]
    """The attempts, oldest first."""


class EdiMailList(Model):
    items: list[EdiMail]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""
    reason: Literal["no_agreement", "no_address"] | str | None
    """Why the order has no address for its documents: no_agreement: it is under no agreement. no_address: its agreement has no edi. Null if it has one."""


class EdiWarning(Model):
    code: Literal["NO_ESTIMATE", "ESTIMATE_NOT_REPRESENTABLE"] | str
    """The code of the warning."""
    message: str
    """The fault in one sentence."""


class Elapse(Model):
    what: Literal["quote", "plan", "decision", "notice_window"] | str
    """The deadline that passes."""
    by: int | None = None
    """How far the time of the order goes on, in seconds; just past the deadline if omitted."""


class ElapsedReply(Model):
    order_id: str
    """The platform's id of the order."""
    status: (
        Literal[
            "submitted",
            "validating",
            "needs_confirmation",
            "confirmed",
            "negotiating",
            "seller_review",
            "placed",
            "canceled",
            "rejected",
            "failed",
        ]
        | str
    )
    """The current status."""
    substatus: Literal["awaiting_plan", "quote_lapsed", "awaiting_remote_decision"] | str | None
    """An informational step within the status."""
    last_seq: int
    """The seq of the last event of the order."""
    deadline: datetime
    """The UTC time of the deadline, as it was set."""
    elapsed_s: int
    """How far the time of the order is ahead now, in seconds."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class EndpointCreated(Model):
    endpoint_id: str
    """The id of a webhook endpoint."""
    url: str
    """The https URL that events are posted to."""
    events: (
        list[
            Literal[
                "order.status_changed",
                "catalog.rate_card_published",
                "catalog.window_opened",
                "catalog.avails_answered",
                "catalog.integrity_failed",
                "settlement.invoice_issued",
            ]
            | str
        ]
        | None
    )
    """The event types; all types if omitted."""
    statuses: (
        list[
            Literal[
                "submitted",
                "validating",
                "needs_confirmation",
                "confirmed",
                "negotiating",
                "seller_review",
                "placed",
                "canceled",
                "rejected",
                "failed",
            ]
            | str
        ]
        | None
    )
    """The order statuses to which order.status_changed is restricted; all statuses if omitted."""
    status: Literal["active", "disabled"] | str
    """The current status."""
    disabled_reason: Literal["gone", "failing_for_five_days", "credential_revoked", "credential_expired"] | str | None = None
    """gone: the receiver replied 410. failing_for_five_days: every attempt failed for five days. credential_revoked, credential_expired: the credential that authorized it is no longer valid; enable it with another one."""
    credential_id: str | None
    """The id of the credential that authorizes the events; null if it is no longer valid."""
    readable_events: list[
        Literal[
            "order.status_changed",
            "catalog.rate_card_published",
            "catalog.window_opened",
            "catalog.avails_answered",
            "catalog.integrity_failed",
            "settlement.invoice_issued",
        ]
        | str
    ]
    """The event types that this credential may read. Other types are never sent."""
    failing_since: datetime | None = None
    """The UTC time since which every attempt has failed."""
    unreadable_secrets: list[Literal["current", "previous"] | str] | None = None
    """Signing secrets that the platform can no longer decrypt. The others still sign; if none is left, deliveries wait for rotate-secret."""
    created_at: datetime
    """The UTC time at which it was created."""
    secret: str
    """The secret that signs deliveries. It is shown once."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class EndpointList(Model):
    items: list[WebhookEndpoint]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class EntryError(Model):
    index: int
    """The position of the entry in the body, from 0."""
    error_code: Literal["UNKNOWN_PRODUCT_ID", "INVALID_ENTRY"] | str
    """The code of the error."""
    field: str | None = None
    """The member, as a dotted path."""
    value: Any | None = None
    """The value that was sent, shortened."""
    message: str
    """The fault in one sentence."""


class EntryWarning(Model):
    index: int
    """The position of the entry in the body, from 0."""
    code: str
    """The code of the warning."""
    message: str
    """The fault in one sentence."""


class ErrorEnvelope(Model):
    """Every error of the service. details.errors[] lists every fault found, at most 1000, each with a JSON pointer. details.warnings[] of a 422 lists members that nothing knows, with the nearest known one."""

    error_code: (
        Literal[
            "MALFORMED_REQUEST",
            "UNAUTHENTICATED",
            "TENANT_MISMATCH",
            "FORBIDDEN",
            "NOT_FOUND",
            "METHOD_NOT_ALLOWED",
            "CONFLICT",
            "INVALID_STATE",
            "STALE_RATE_CARD",
            "GRAIN_CONFLICT",
            "INVENTORY_UNAVAILABLE",
            "PAYLOAD_TOO_LARGE",
            "UNSUPPORTED_MEDIA_TYPE",
            "INVALID_INPUT",
            "GRAIN_NOT_OFFERED",
            "UNKNOWN_CREATIVE",
            "REFERENCE_ARCHIVED",
            "CREATIVE_LENGTH_MISMATCH",
            "CREDIT_LIMIT",
            "DUPLICATE_EXTERNAL_REF",
            "DUPLICATE_DISCLOSURE_OVERRIDE",
            "RATE_LIMITED",
            "INTERNAL",
            "UNAVAILABLE",
        ]
        | str
    )
    """The code of the error."""
    error_message: str
    """The error in one sentence for people."""
    stage: (
        Literal[
            "authentication",
            "request",
            "validation",
            "pricing",
            "inventory",
            "approval",
            "negotiation",
            "platform",
        ]
        | str
    )
    """The stage at which the error occurred."""
    recoverable: bool
    """Whether the caller can succeed by changing the request or trying again."""
    details: ErrorEnvelopeDetails
    """The members concerned, and what is allowed."""


class ErrorEnvelopeDetails(Model):
    field: str | None = None
    """The member, as a dotted path."""
    missing: list[str] | None = None
    """Every required member that is missing."""
    errors: list[ErrorEnvelopeDetailsError] | None = None
    """Every fault that was found."""


class ErrorEnvelopeDetailsError(Model):
    pointer: str | None = None
    """The JSON pointer of the member."""
    error_code: str
    """The code of the error."""
    message: str
    """The fault in one sentence."""
    field: str | None = None
    """The member, as a dotted path."""


class EventFeed(Model):
    events: list[Event]
    """The events in order."""
    next_cursor: str
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class EventReplay(Model):
    events: list[OrderEvent]
    """The events in order."""
    last_seq: int
    """The seq of the last event of the order."""


class FoundOrder(Model):
    order_id: str
    """The platform's id of the order."""
    external_order_id: str
    """The buyer's own id of the order, which is also its idempotency key. Every event echoes it."""
    seller: str
    """The seller's tenant id."""
    seller_name: str | None = None
    """The name of the seller, if it has one."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    buyer_name: str | None = None
    """The name of the buyer, if it has one."""
    status: (
        Literal[
            "submitted",
            "validating",
            "needs_confirmation",
            "confirmed",
            "negotiating",
            "seller_review",
            "placed",
            "canceled",
            "rejected",
            "failed",
        ]
        | str
    )
    """The current status."""
    matched: str
    """What the words were found in, such as the title of a line."""


class FoundParty(Model):
    entity: str
    """The id of the tenant."""
    name: str | None = None
    """A name for display."""


class FoundProduct(Model):
    seller: str
    """The seller's tenant id."""
    product_id: str
    """The id of a product in the seller's catalog."""
    product_title: str | None = None
    """The title of the product."""
    network: str
    """The network or station that the product airs on."""


class FreshTenant(Model):
    tenant: str
    """The id of the tenant, which no other one has had."""
    side: Literal["buyer", "seller"] | str
    """Whether the tenant buys or sells."""
    token: str
    """Its token, shown here only."""
    expires_at: datetime
    """The UTC time at which the token ends and the tenant is gone from lists."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class GrantEffect(Model):
    as_of: date_aliased
    """The date that is compared: today, or the first day of the agreement if that is later."""
    new_buyer: bool
    """Whether you have had no agreement, order or standing with a buyer of this name."""
    unknown_products: list[str]
    """Names in the body that your catalog does not have, at most 100."""
    before: SeenProducts
    """The number of products that the buyer sees now, by what it sees of them."""
    after: SeenProducts
    """The number of products that it will see, by what it sees of them."""
    changed: int
    """The products of which the buyer will see another part."""
    changes: list[GrantEffectChange]
    """The first 50 of them, by product_id."""


class GrantEffectChange(Model):
    product_id: str
    """The id of a product in the seller's catalog."""
    product_title: str | None = None
    """The title of the product in the catalog."""
    before: ProductSeen | None
    """What the buyer sees of it now; null if it does not see it."""
    after: ProductSeen | None
    """What it will see of it; null if it will not see it."""


class GrantReply(Model):
    agreement_id: str
    """The id of the agreement between the seller and the buyer."""
    seller: str
    """The seller's tenant id."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    status: Literal["active", "ended"] | str
    """The current status."""
    effective: DateRange
    """The dates between which it is in force, both inclusive."""
    settlement_mode: Literal["direct", "cleared"] | str
    """direct, or cleared through the platform. It is resolved from the agreement."""
    currency: str
    """The currency of the money, by its ISO 4217 code."""
    credit_limit: Money | None = None
    """The highest total of cleared orders at any time, in major units of the currency; no limit if null or omitted."""
    commitment_gross: Money | None = None
    """The gross that the buyer has committed to book, in major units of the currency."""
    permitted_buy_types: (
        list[
            Literal[
                "preemptible",
                "non_preemptible",
                "audience_guaranteed",
                "fixed_position",
            ]
            | str
        ]
        | None
    ) = None
    """The values permitted under the agreement; no restriction if omitted or empty."""
    permitted_grains: list[Literal["day", "week", "month"] | str] | None = None
    """The values permitted under the agreement; no restriction if omitted or empty."""
    catalog_scope: Literal["*"] | str | list[str]
    """The by_agreement products that the agreement unlocks, or * for all of them. It never hides open products."""
    disclosure_overrides: list[DisclosureOverride] | None = None
    """What is published to this buyer, in place of the products' own disclosure."""
    posting_policy_overrides: list[PostingPolicyOverride] | None = None
    """The posting policies for this buyer, in place of the products' own."""
    cancellation_terms: CancellationTerms | None = None
    """The notice and the fee of a cancellation. An order keeps the terms it was created with."""
    edi: EdiDelivery | None = None
    """The delivery of order documents to the agency's billing system; none if omitted. Setting or changing it needs the scope orders:approve as well. A marketplace that sends no mail refuses it."""
    agency_commission_pct: float | None = None
    """The agency's commission, in percent of the gross of an invoice, as it is when the invoice is issued; 0 if omitted."""
    reconciliation: ReconciliationMinutes | None = None
    """Within how many minutes the spots of orders are matched with what aired and was billed. A change reconciles the orders again."""
    makegood_guidelines: MakegoodGuidelinesOutput | None = None
    """When the platform accepts an offered makegood in the place of the buyer; a person decides on every offer if omitted."""
    makegood_billing: Literal["booked", "aired"] | str | None = None
    """The broadcast month in which a makegood is billed: that of the booked spot, or that of its airing. aired if omitted."""
    external_ref: str | None = None
    """The seller's own reference, unique per seller. Buyers never see it."""
    effect: GrantEffect | None = None
    """What the agreement would change for its buyer; of a dry run alone."""


class GrantedTerms(Model):
    notice_days: int
    """The notice required before the first air date, in calendar days."""
    late_fee_pct: float | None = None
    """The fee of a late cancellation, in percent of the accepted gross."""


class Hold(Model):
    hold_id: str
    """The id of the hold."""
    seller: str
    """The seller's tenant id."""
    status: Literal["held", "released", "expired", "used"] | str
    """The current status."""
    lines: list[HoldLine]
    """The lines: those of the order by unit_id, then fees."""
    created_at: datetime
    """The UTC time at which it was created."""
    expires_at: datetime
    """The UTC time at which it ends on its own."""
    order_id: str | None
    """The id of the order that used the hold; null until one has."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class HoldLine(Model):
    product_id: str
    """The id of a product in the seller's catalog."""
    period: Period
    """The day, ISO week or month that it covers."""
    units: int
    """The number of units."""
    spot_length: int
    """The length of a spot in seconds."""


class HoldList(Model):
    items: list[Hold]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class IntegrityFailed(Model):
    event_type: Literal["catalog.integrity_failed"]
    """The type of the event."""
    event_id: str
    """The id of the event, the same on every delivery."""
    seller: str
    """The seller's tenant id."""
    occurred_at: datetime
    """The UTC time at which it happened, strictly increasing per order."""
    data: IntegrityFailedData
    """What happened, in the shape of the type."""


class IntegrityFailedData(Model):
    error_code: (
        Literal[
            "MALFORMED_REQUEST",
            "UNAUTHENTICATED",
            "TENANT_MISMATCH",
            "FORBIDDEN",
            "NOT_FOUND",
            "METHOD_NOT_ALLOWED",
            "CONFLICT",
            "INVALID_STATE",
            "STALE_RATE_CARD",
            "GRAIN_CONFLICT",
            "INVENTORY_UNAVAILABLE",
            "PAYLOAD_TOO_LARGE",
            "UNSUPPORTED_MEDIA_TYPE",
            "INVALID_INPUT",
            "GRAIN_NOT_OFFERED",
            "UNKNOWN_CREATIVE",
            "REFERENCE_ARCHIVED",
            "CREATIVE_LENGTH_MISMATCH",
            "CREDIT_LIMIT",
            "DUPLICATE_EXTERNAL_REF",
            "DUPLICATE_DISCLOSURE_OVERRIDE",
            "RATE_LIMITED",
            "INTERNAL",
            "UNAVAILABLE",
        ]
        | str
    )
    """The code of the error."""
    details: dict[str, Any]
    """The members concerned, and what is allowed."""


class Invoice(Model):
    invoice_id: str
    """The id of the invoice or credit note."""
    invoice_number: str
    """The number of the invoice or credit note, unique for its seller: YYMM of the broadcast month and the seller's next number of that month."""
    kind: Literal["invoice", "credit_note"] | str
    """invoice, or credit_note, whose amounts are negative."""
    credits: str | None = None
    """The units that are credited."""
    reason: str | None = None
    """The reason for the credit."""
    seller: str
    """The seller's tenant id."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    order_id: str
    """The platform's id of the order."""
    external_order_id: str
    """The buyer's own id of the order, which is also its idempotency key. Every event echoes it."""
    agreement_id: str
    """The id of the agreement between the seller and the buyer."""
    estimate_id: str | None = None
    """The agency's estimate, echoed on delivery to its billing system."""
    broadcast_month: str
    """The broadcast month: its weeks, Monday to Sunday, end on the last Sunday of the calendar month."""
    currency: str
    """The currency of the money, by its ISO 4217 code."""
    gross: Money
    """The sum of the lines, in major units of the currency."""
    commission_pct: float
    """The agency's commission, in percent of the gross, as the agreement had it at issue."""
    commission: Money
    """The agency's commission, in major units of the currency."""
    net: Money
    """The gross minus the commission, in major units of the currency."""
    undisputed_gross: Money
    """The gross without units under dispute, in major units of the currency."""
    credited_gross: Money
    """What credit notes have credited of the invoice, in major units of the currency."""
    status: Literal["issued", "paid", "credited"] | str
    """issued, paid, or credited when credit notes have credited all of it."""
    issued_at: datetime
    """The time at which the buyer system issued the order; its offset is kept as sent. The notice of the order that it revises is measured at it."""
    paid_at: datetime | None = None
    """When the invoice was marked as paid; a UTC time."""
    paid_on: date_aliased | None = None
    """The date of the payment; the current UTC date if omitted."""
    reference: str | None = None
    """The seller's reference of the payment."""
    lines: list[InvoiceLine]
    """The lines: those of the order by unit_id, then fees."""


class InvoiceIssued(Model):
    event_type: Literal["settlement.invoice_issued"]
    """The type of the event."""
    event_id: str
    """The id of the event, the same on every delivery."""
    seller: str
    """The seller's tenant id."""
    occurred_at: datetime
    """The UTC time at which it happened, strictly increasing per order."""
    data: InvoiceIssuedData
    """What happened, in the shape of the type."""


class InvoiceIssuedData(Model):
    invoice_id: str
    """The id of the invoice or credit note."""
    order_id: str
    """The platform's id of the order."""
    external_order_id: str | None = None
    """The buyer's own id of the order, which is also its idempotency key. Every event echoes it."""


class InvoiceLine(Model):
    kind: Literal["spots", "late_fee", "credit"] | str
    """spots, the booked dates of a line; late_fee, the fee of a late cancellation; or credit, which is negative."""
    unit_id: str | None = None
    """The id of a line of the order."""
    product_id: str | None = None
    """The id of a product in the seller's catalog."""
    product_title: str | None = None
    """The title of the product, as on the line of the order."""
    network: str | None = None
    """The network or station that the product airs on."""
    spot_length: int | None = None
    """The length of a spot in seconds."""
    units: int | None = None
    """The units of the line in the month."""
    dates: list[InvoiceLineDate] | None = None
    """The dates booked in the month, with their units."""
    unit_cost: Money | None = None
    """The gross price of one unit, in major units of its currency. Exactly one of this and cpm."""
    cpm: Money | None = None
    """The gross price of a thousand impressions, in major units of its currency."""
    impressions_per_unit: float | None = None
    """The impressions of one unit, by which cpm prices it."""
    fee_pct: float | None = None
    """The late fee, in percent of the accepted gross."""
    makegood_id: str | None = None
    """The agreed makegood that is billed, at the price of what it replaces."""
    gross: Money
    """The amount of the line, in major units of the currency."""


class InvoiceLineDate(Model):
    date: date_aliased
    """An air date, YYYY-MM-DD."""
    units: int
    """The number of units."""


class InvoiceList(Model):
    items: list[InvoiceSummary]
    """The entries of the page."""
    totals: StatementTotals | None = None
    """The statement of the month: the sums over every page. Present if agreement and broadcast_month are given and the currency is one."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class InvoiceSummary(Model):
    invoice_id: str
    """The id of the invoice or credit note."""
    invoice_number: str
    """The number of the invoice or credit note, unique for its seller: YYMM of the broadcast month and the seller's next number of that month."""
    kind: Literal["invoice", "credit_note"] | str
    """invoice, or credit_note, whose amounts are negative."""
    credits: str | None = None
    """The units that are credited."""
    reason: str | None = None
    """The reason for the credit."""
    seller: str
    """The seller's tenant id."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    order_id: str
    """The platform's id of the order."""
    external_order_id: str
    """The buyer's own id of the order, which is also its idempotency key. Every event echoes it."""
    agreement_id: str
    """The id of the agreement between the seller and the buyer."""
    estimate_id: str | None = None
    """The agency's estimate, echoed on delivery to its billing system."""
    broadcast_month: str
    """The broadcast month: its weeks, Monday to Sunday, end on the last Sunday of the calendar month."""
    currency: str
    """The currency of the money, by its ISO 4217 code."""
    gross: Money
    """The sum of the lines, in major units of the currency."""
    commission_pct: float
    """The agency's commission, in percent of the gross, as the agreement had it at issue."""
    commission: Money
    """The agency's commission, in major units of the currency."""
    net: Money
    """The gross minus the commission, in major units of the currency."""
    undisputed_gross: Money
    """The gross without units under dispute, in major units of the currency."""
    credited_gross: Money
    """What credit notes have credited of the invoice, in major units of the currency."""
    status: Literal["issued", "paid", "credited"] | str
    """issued, paid, or credited when credit notes have credited all of it."""
    issued_at: datetime
    """The time at which the buyer system issued the order; its offset is kept as sent. The notice of the order that it revises is measured at it."""
    paid_at: datetime | None = None
    """When the invoice was marked as paid; a UTC time."""
    paid_on: date_aliased | None = None
    """The date of the payment; the current UTC date if omitted."""
    reference: str | None = None
    """The seller's reference of the payment."""


class IssueAsOf(Model):
    as_of: datetime
    """The time by which broadcast months count as cleared; an offset is converted to UTC time."""


class IssuedAsOf(Model):
    issued: list[InvoiceSummary]
    """The invoices and credit notes that were issued."""
    has_more: bool
    """Whether more orders are due by then: send the call again."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class LineAvailability(Model):
    state: Literal["available", "unavailable", "projected"] | str
    """available, unavailable or projected."""
    basis: Literal["measured", "modelled"] | str
    """measured or modelled."""
    sellout_level: float | None
    """The share of its own sales plan that the seller has sold, as a decimal fraction."""


class LineBooking(Model):
    unit_id: str
    """The id of a line of the order."""
    booked_dates: list[date_aliased]
    """The air dates that the line would book, YYYY-MM-DD."""
    impressions_per_unit: float | None = None
    """The impressions of one unit, by which cpm prices it."""
    timezone: str | None = None
    """The time zone of the product, whose dates the booked dates are; UTC if absent."""


class LineDoubt(Model):
    field: str
    """The member, as a dotted path."""
    message: str
    """The fault in one sentence."""
    question_id: str | None = None
    """The id by which a confirm answers the question."""


class LineItem(Model):
    product_id: str
    """The id of a product in the seller's catalog."""
    period: Period
    """The day, ISO week or month that it covers."""
    units: int
    """The number of units."""
    spot_length: int
    """The length of a spot in seconds."""
    include_mirror: bool | None = None
    """Whether the line also books the mirror of its product."""
    rc_impressions: dict[str, float] | None = None
    """Impression estimates by audience code at the time of the order."""
    creative_id: str | None = None
    """The id of a creative in the buyer's registry."""
    hold_id: str | None = None
    """The id of the hold that the line uses."""
    do_not_air: list[date_aliased] | None = None
    """Dates (YYYY-MM-DD) on which the buyer asks not to air. They are shown at the approval and not enforced."""
    traffic_instructions: TrafficInstructions | None = None
    """How creatives rotate. This is recorded and never scheduled."""
    rate: RateCited
    """The price of the line."""


class LinePostingPolicy(Model):
    policy: str | None
    """The posting policy; null if none is stated."""
    source: Literal["agreement_product", "agreement_all", "product", "unstated"] | str
    """The origin of the policy: the agreement for this product or for all products, the product, or none."""


class LineResult(Model):
    unit_id: str
    """The id of a line of the order."""
    product_id: str
    """The id of a product in the seller's catalog."""
    period: Period
    """The day, ISO week or month that it covers."""
    units: int
    """The number of units."""
    spot_length: int
    """The length of a spot in seconds."""
    include_mirror: bool | None = None
    """Whether the line also books the mirror of its product."""
    rc_impressions: dict[str, float] | None = None
    """Impression estimates by audience code at the time of the order."""
    creative_id: str | None = None
    """The id of a creative in the buyer's registry."""
    hold_id: str | None = None
    """The id of the hold that the line uses."""
    do_not_air: list[date_aliased] | None = None
    """Dates (YYYY-MM-DD) on which the buyer asks not to air. They are shown at the approval and not enforced."""
    traffic_instructions: TrafficInstructions | None = None
    """How creatives rotate. This is recorded and never scheduled."""
    product_title: str | None = None
    """The title of the product when the line was ordered; absent if it had none, and on older orders."""
    provider: str
    """The provider of the product, which is its seller."""
    network: str
    """The network or station that the product airs on."""
    allocation: list[Allocation]
    """The units per air date, which sum to num_accepted."""
    num_accepted: int
    """The number of units that the seller accepted."""
    status: Literal["pending", "accepted", "countered", "rejected"] | str
    """pending until decided, then accepted, countered or rejected."""
    reason: str | None
    """The reason, in the words of the person or system that acted."""
    rate: RateRead
    """The price of the line."""
    availability: LineAvailability | None
    """What was known about the inventory when the order was validated."""
    creative_snapshot: LineResultCreativeSnapshot | None = None
    """The creative as it was when the line was stored."""
    mirror: LineResultMirror | None = None
    """The mirrored airing of the line."""
    posting_policy: LinePostingPolicy
    """The policy by which deliveries of the product are posted, in the seller's words."""
    in_response_to: str | None = None
    """The id of the line that a counter answers."""
    num_requested: int | None = None
    """The impressions goal that the units of this line answer."""
    minted: Literal[True] | None = None
    """Whether the product was created for this buyer."""
    counter: LineResultCounter | None = None
    """What the seller offers in place of the line."""
    locked_rate_id: str | None = None
    """The id of a published price: one rate entry in one ISO week. An order line cites it unchanged."""


class LineResultCounter(Model):
    week: str
    """An ISO week, YYYY-Www. A rate entry without a week covers every week of its commit."""
    unit_cost: Money | None = None
    """The gross price of one unit, in major units of its currency. Exactly one of this and cpm."""
    cpm: Money | None = None
    """The gross price of a thousand impressions, in major units of its currency."""
    quote_expires_at: datetime
    """The UTC time at which the quote lapses. It cannot be accepted afterwards."""


class LineResultCreativeSnapshot(Model):
    creative_code: str
    """The buyer's code of the creative."""
    name: str
    """A name for display."""
    length_seconds: int
    """The length of the creative in seconds."""


class LineResultMirror(Model):
    product_id: str
    """The id of a product in the seller's catalog."""
    network: str
    """The network or station that the product airs on."""
    allocation: list[Allocation]
    """The units per air date, which sum to num_accepted."""


class ListedMakegood(Model):
    makegood_id: str
    """The id of the makegood."""
    order_id: str
    """The platform's id of the order."""
    seller: str
    """The seller's tenant id."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    status: (
        Literal[
            "noticed",
            "offered",
            "accepted",
            "declined",
            "expired",
            "recalled",
            "credited",
        ]
        | str
    )
    """As in Makegood."""
    version: int
    """The number of the offers, from 1: each new offer raises it, and an answer names it."""
    for_: list[MissedUnits] = Field(..., validation_alias="for", serialization_alias="for")
    """The units that do not air, each line and date once."""
    offers: list[MakegoodOffer]
    """The offered spots; they are alternatives."""
    expires_at: datetime | None
    """Until when the buyer may answer; a UTC time. Null while nothing is offered."""
    agreed_outside: bool
    """Whether the parties agreed by other means."""
    upload_id: str | None = None
    """The notice as a file, below the attachments of the order; absent if there is none."""
    agreed: AgreedMakegood | None = None
    """The accepted offer."""
    credits: list[CreditedUnits]
    """The units that are credited."""
    actions: list[MakegoodStep]
    """What was done, in order."""
    created_at: datetime
    """The UTC time at which it was created."""
    updated_at: datetime
    """The UTC time at which it last changed."""


class MakeTenant(Model):
    side: Literal["buyer", "seller"] | str
    """Whether the tenant buys or sells."""
    name: str | None = None
    """Its name for people; its id if omitted."""


class Makegood(Model):
    makegood_id: str
    """The id of the makegood."""
    order_id: str
    """The platform's id of the order."""
    seller: str
    """The seller's tenant id."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    status: (
        Literal[
            "noticed",
            "offered",
            "accepted",
            "declined",
            "expired",
            "recalled",
            "credited",
        ]
        | str
    )
    """noticed: nothing is offered yet; offered: the buyer has to answer; accepted; declined; expired: no answer came in time; recalled: it was taken back; credited."""
    version: int
    """The number of the offers, from 1: each new offer raises it, and an answer names it."""
    for_: list[MissedUnits] = Field(..., validation_alias="for", serialization_alias="for")
    """The units that do not air, each line and date once."""
    offers: list[MakegoodOffer]
    """The offered spots; they are alternatives."""
    expires_at: datetime | None
    """Until when the buyer may answer; a UTC time. Null while nothing is offered."""
    agreed_outside: bool
    """Whether the parties agreed by other means."""
    upload_id: str | None = None
    """The notice as a file, below the attachments of the order; absent if there is none."""
    agreed: AgreedMakegood | None = None
    """The accepted offer."""
    credits: list[CreditedUnits]
    """The units that are credited."""
    actions: list[MakegoodStep]
    """What was done, in order."""
    created_at: datetime
    """The UTC time at which it was created."""
    updated_at: datetime
    """The UTC time at which it last changed."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class MakegoodAutoAccept(Model):
    same_product: bool | None = None
    """Whether the offer must be of the product of what it replaces; true if omitted."""
    within: Literal["week", "flight"] | str | None = None
    """week: in the Monday to Sunday week of each spot that it replaces; flight: between the first and the last date of the order. week if omitted."""
    ratio: float | None = None
    """The offered units for each replaced unit, at least."""
    same_length: bool | None = None
    """Whether the spots must have the length of what they replace; true if omitted."""
    audience_floor_pct: float | None = None
    """The impressions that the offer projects, at least, in percent of those of what it replaces. Where either is unknown a person decides."""


class MakegoodAutoAcceptOutput(Model):
    same_product: bool
    """Whether the offer must be of the product of what it replaces; true if omitted."""
    within: Literal["week", "flight"] | str
    """week: in the Monday to Sunday week of each spot that it replaces; flight: between the first and the last date of the order. week if omitted."""
    ratio: float
    """The offered units for each replaced unit, at least."""
    same_length: bool
    """Whether the spots must have the length of what they replace; true if omitted."""
    audience_floor_pct: float | None = None
    """The impressions that the offer projects, at least, in percent of those of what it replaces. Where either is unknown a person decides."""


class MakegoodGuidelines(Model):
    auto_accept: MakegoodAutoAccept
    """The offers that are accepted at once: all that is named must hold."""


class MakegoodGuidelinesOutput(Model):
    auto_accept: MakegoodAutoAcceptOutput
    """The offers that are accepted at once: all that is named must hold."""


class MakegoodList(Model):
    items: list[ListedMakegood]
    """The makegoods, newest first."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class MakegoodOffer(Model):
    offer_id: str
    """The name of an offer among those of its makegood."""
    product_id: str
    """The product in which the spots are to air."""
    date: date_aliased
    """The date on which they are to air."""
    units: int
    """How many spots."""
    spot_length: int
    """Their length, in seconds."""
    replaces: list[SpotUnits]
    """What the offer replaces."""
    unit_cost: Money | None = None
    """What the seller’s system prices a unit at, in major units of the currency. It is never billed, and must not come to more than what the offer replaces."""
    impressions: int | None = None
    """The impressions that the seller projects for a unit."""
    network: str
    """The network of the product."""
    windows: list[MakegoodOfferWindow]
    """When the spots may air, in the local time of the product."""


class MakegoodOfferWindow(Model):
    start: str
    """The first date (YYYY-MM-DD), or the time of day at which it starts (HH:MM in its time zone)."""
    end: str
    """The last date (YYYY-MM-DD), or the time of day at which it ends (HH:MM in its time zone); an end before the start is after midnight."""


class MakegoodStep(Model):
    action: Literal["notice", "offer", "recall", "accept", "decline", "credit", "expire"] | str
    """What was done."""
    side: Literal["buyer", "seller", "platform"] | str
    """Who did it: a party, or the platform for a deadline, the end of an order or the guidelines of an agreement."""
    actor: str
    """The person or program that did it; of the platform makegood_guidelines, deadline or order_end."""
    note: str | None = None
    """What was said with it."""
    version: int
    """The version that it was about or made."""
    status: (
        Literal[
            "noticed",
            "offered",
            "accepted",
            "declined",
            "expired",
            "recalled",
            "credited",
        ]
        | str
    )
    """The status that it led to."""
    at: datetime
    """When; a UTC time."""


class Manifest(Model):
    schema_version: Literal["1.0"] | str
    """The version of the manifest."""
    drop_id: str
    """The seller's own name for the drop, which is also the folder of its files."""
    effective: DateRange | None = None
    """The dates of rate card commits that state none, both inclusive."""
    files: list[ManifestFile]
    """The files of the drop, with at most 2147483648 bytes in all."""
    reprocess: bool | None = None
    """true: ingests the files again where an earlier drop had the same ones. By default its result is replayed. Sent again while its run is open, the request is that run."""


class ManifestFile(Model):
    """A file of a drop: at most 536870912 bytes (xlsx 67108864) and 1000000 rows."""

    filename: str
    """The name of the file in the drop."""
    type: Literal["catalog", "rate_cards", "avails", "delivery_posts"] | str
    """What the file publishes. Files are staged in the order catalog, rate_cards, avails, delivery_posts, whatever their order here."""
    format: Literal["csv", "parquet", "xlsx", "json"] | str | None = None
    """The format of the file; by default its extension decides."""
    sha256: str
    """The SHA-256 of the file, in hexadecimal."""
    mapping: str | None = None
    """The name of a mapping by which the file is read. By default it is read by the one mapping whose headers are those of the file, else by our columns."""


class MappedFile(Model):
    file: str
    """The name of the file."""
    mapping: str
    """The name of the mapping."""
    version: str
    """The version of the mapping by which the file was read."""


class Mapping(Model):
    name: str
    """The name of the mapping, of your choice."""
    version: str
    """Identifies the content: it differs whenever a member does. It is the ETag, too."""
    updated_at: datetime
    """The UTC time at which the mapping got this content."""
    type: Literal["catalog", "rate_cards", "avails", "delivery_posts"] | str
    """The type of the files."""
    headers: list[str]
    """All headings of the files; their order, case and spaces do not matter. A file that has exactly these in one of its first 21 rows is read by the mapping."""
    columns: dict[str, str]
    """Our columns, each with the heading of the file that holds it."""
    constants: dict[str, str] | None = None
    """Our columns that the files lack, each with the text of its cell in every row."""
    values: dict[str, dict[str, str]] | None = None
    """Our columns, each with the words of the files and the text that we have for it. Case does not matter; an empty word is an empty cell, and * every other text."""
    parts: (
        dict[
            str,
            Literal["in_brackets", "before_colon", "after_colon", "first_word", "last_word"] | str,
        ]
        | None
    ) = None
    """Our columns whose cells say more than the value, each with the part that is it: in_brackets, the last text in round brackets; before_colon and after_colon, what is beside the first colon; first_word; last_word. A cell without that part is taken whole. values are of the part."""
    skip: list[SkipRule] | None = None
    """The rows that are left out."""
    date_order: Literal["mdy", "dmy"] | str | None = None
    """mdy: 6/3/2030 has the month first; dmy: the day. Without it such dates are read only where those of the whole column allow one order."""
    clock: Literal["calendar", "broadcast"] | str | None = None
    """The clock of air_time in every row of delivery_posts."""
    decimal: Literal["point", "comma"] | str | None = None
    """point: 1,250.00; comma: 1.250,00. Without it such numbers are read only where those of the whole column allow one reading."""


class MappingList(Model):
    items: list[Mapping]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class MarkPaid(Model):
    paid_on: date_aliased | None = None
    """The date of the payment; the current UTC date if omitted."""
    reference: str | None = None
    """The seller's reference of the payment."""


class MissedUnits(Model):
    unit_id: str
    """The line of the order."""
    date: date_aliased
    """The date on which the line books them."""
    units: int
    """How many units."""
    reason_code: str
    """Why they do not air: preempted, technical, program_change, audience_underdelivery, sold_over, other, or a word of the seller."""
    reason: str | None = None
    """The same in words."""


class MonthPeriod(Model):
    grain: Literal["month"]
    """The length of the period: day, week or month."""
    start: str
    """The month, YYYY-MM."""


class NoticeMakegood(Model):
    for_: list[MissedUnits] = Field(..., validation_alias="for", serialization_alias="for")
    """The units that do not air, each line and date once."""
    offers: list[OfferMakegood] | None = None
    """The offered spots; they are alternatives."""
    expires_at: datetime | None = None
    """Until when the buyer may answer, a UTC time, at most the earliest air date that is offered; the end of that date if omitted."""
    agreed_outside: bool | None = None
    """The parties have agreed on the one offer by other means: it is recorded as accepted."""
    upload_id: str | None = None
    """The notice as a file: an upload of the seller in status uploaded, of POST /me/uploads. It is kept with the order, and both parties may read it."""
    actor: str | None = None
    """Who says so; the seller if omitted."""


class Occurrence(Model):
    date: date_aliased
    """An air date, YYYY-MM-DD."""
    start: str
    """The first date (YYYY-MM-DD), or the time of day at which it starts (HH:MM in its time zone)."""
    end: str
    """The last date (YYYY-MM-DD), or the time of day at which it ends (HH:MM in its time zone); an end before the start is after midnight."""


class OfferMakegood(Model):
    offer_id: str | None = None
    """The name of the offer among those of its makegood; its number from 1 if omitted."""
    product_id: str
    """The product in which the spots are to air."""
    date: date_aliased
    """The date on which they are to air."""
    units: int
    """How many spots."""
    spot_length: int
    """Their length, in seconds."""
    replaces: list[SpotUnits] | None = None
    """What the offer replaces, all or part of the notice; all of it if omitted."""
    unit_cost: Money | None = None
    """What the seller’s system prices a unit at, in major units of the currency. It is never billed, and must not come to more than what the offer replaces."""
    impressions: int | None = None
    """The impressions that the seller projects for a unit."""


class OpsConnection(Model):
    seller: str
    """The seller's tenant id."""
    host: str
    """The host of its base URL."""
    approval: Literal["console", "api", "rules", "pull"] | str
    """The gate that decides: console, api, rules or pull."""
    realtime_availability: bool
    """Whether the platform asks the seller's API for availability at every order."""
    holds: bool
    """Whether it keeps holds."""
    state: Literal["idle", "answering", "failing"] | str
    """idle: no order waits for it. answering: the last ask for each that waits got an answer. failing: one of them is stuck, or its last ask got no answer."""
    waiting: int
    """The number of orders that wait for its decision, at most 200."""
    stuck: list[OpsConnectionStuckItem]
    """Those of them that are stuck, by reason."""
    most_unanswered: int
    """The most asks in a row for one of them that got no answer."""
    last_asked_at: datetime | None
    """The UTC time at which it was last asked for one of them; null if it was not."""


class OpsConnectionList(Model):
    items: list[OpsConnection]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class OpsConnectionStuckItem(Model):
    reason: str
    """The reason, in the words of the person or system that acted."""
    orders: int
    """The number of orders."""


class OpsDrop(Model):
    seller: str
    """The seller's tenant id."""
    drop_id: str
    """The seller's own name for the drop, which is also the folder of its files."""
    run_no: int
    """Which registration of the drop_id it is, from 1."""
    status: Literal["processing", "success", "partial", "rejected"] | str
    """The current status."""
    stage: Literal["fetch", "publish", "avails", "posts", "finish", "ended"] | str
    """The stage at which the error occurred."""
    rows_written: int
    """The number of rows that were accepted."""
    rows_rejected: int
    """The number of rows that were refused."""
    error_count: int
    """The number of refused rows and files."""
    stuck_reason: str | None
    """The reason why it does not get on; null if it does."""
    registered_at: datetime
    """The UTC time at which the manifest was registered; in stage manifest that at which it was first seen."""
    ended_at: datetime | None
    """The UTC time at which the run ended; null until then."""
    run_id: str
    """The id of its run in Temporal."""


class OpsDropList(Model):
    items: list[OpsDrop]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class OpsEndpoint(Model):
    endpoint_id: str
    """The id of a webhook endpoint."""
    tenant: str
    """The tenant whose endpoint it is."""
    host: str | None
    """The host of its URL; the rest of it may be a secret and is left out."""
    status: Literal["active", "disabled"] | str
    """The current status."""
    disabled_reason: str | None
    """The reason why it is disabled; null if it is active."""
    failing_since: datetime | None
    """The UTC time since which every attempt has failed; null if the last one did not."""
    waiting: int
    """The number of deliveries that wait, at most 1000."""
    dropped: int
    """How many of its last 1000 deliveries were dropped; its tenant can have them sent again."""
    oldest_waiting_at: datetime | None
    """The UTC time at which the oldest of them was created; null if none waits."""
    next_attempt_at: datetime | None
    """The UTC time at which the oldest of them is due; null if none waits."""


class OpsEndpointList(Model):
    items: list[OpsEndpoint]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class OpsHealth(Model):
    at: datetime
    """The UTC time of these figures."""
    orders: OpsHealthOrders
    """The orders of every tenant."""
    outbox: OpsHealthOutbox
    """What waits to be carried to Temporal."""
    feed: OpsHealthFeed
    """The feeds of events of all tenants."""
    backlog: OpsHealthBacklog
    """What waits to be sent to tenants."""
    webhook_endpoints: OpsHealthWebhookEndpoints
    """The webhook endpoints of all tenants that get nothing."""
    mail_faults: list[OpsHealthMailFault]
    """The order mails of the last 7 days that failed because their document fails its own check, at most 20, the newest first."""
    open_drops: int
    """The number of file drops in progress."""
    workers: list[OpsHealthWorker]
    """The workers that were seen within an hour, at most 100, the last seen first."""
    temporal: OpsHealthTemporal
    """Temporal, as a worker last reported it."""


class OpsHealthBacklog(Model):
    webhook_s: float
    """The age of the oldest webhook delivery that waits, in seconds."""
    mail_s: float
    """The age of the oldest order mail that was not sent, in seconds."""
    queue_s: float
    """For how many seconds a message queue has been failing."""


class OpsHealthFeed(Model):
    age_s: float
    """For how many seconds an open transaction has kept newer events off the feeds."""


class OpsHealthMailFault(Model):
    message_id: str
    """The id of the mail."""
    order_id: str
    """The id of its order."""
    seller: str
    """The seller of the order."""
    status_reason: str
    """Where the document is wrong, or thread if it could not be made."""
    created_at: datetime
    """The UTC time of the event that the mail reports."""


class OpsHealthOrders(Model):
    open: list[OpsHealthOrdersOpenItem]
    """Open orders by status and age."""
    overdue: int
    """The number of orders whose decision is overdue."""
    stuck: list[OpsHealthOrdersStuckItem]
    """Stuck orders by reason, at most 10,000 in all."""


class OpsHealthOrdersOpenItem(Model):
    status: (
        Literal[
            "submitted",
            "validating",
            "needs_confirmation",
            "confirmed",
            "negotiating",
            "seller_review",
            "placed",
            "canceled",
            "rejected",
            "failed",
        ]
        | str
    )
    """The current status."""
    age: Literal["1h", "1d", "7d", "older"] | str
    """The time since their creation: less than an hour, a day, seven days; or older."""
    orders: int
    """The number of orders."""


class OpsHealthOrdersStuckItem(Model):
    reason: str
    """The reason, in the words of the person or system that acted."""
    orders: int
    """The number of orders."""


class OpsHealthOutbox(Model):
    rows: int
    """The number of its rows, at most 100,000."""
    oldest_s: float
    """The age of the oldest of them, in seconds."""


class OpsHealthTemporal(Model):
    reachable: bool
    """Whether a worker reached Temporal when it last reported; false if Temporal does not know the namespace, or if no worker has reported within 15 seconds."""
    reported_at: datetime | None
    """The UTC time of that report; null if there is none."""
    schedules: list[OpsHealthTemporalSchedule]
    """The schedules of housekeeping and settlement, as of the report."""


class OpsHealthTemporalSchedule(Model):
    schedule_id: str
    """The id of the schedule in Temporal."""
    paused: bool
    """Whether it is paused."""
    last_at: datetime | None
    """The UTC time at which it last started its run; null if it has not."""
    next_at: datetime | None
    """The UTC time at which it starts the next; null if it is paused."""


class OpsHealthWebhookEndpoints(Model):
    failing: int
    """The number of active endpoints whose every attempt since some time has failed."""
    disabled: int
    """The number of disabled endpoints."""


class OpsHealthWorker(Model):
    worker_id: str
    """The id of the worker, which it takes at its start."""
    started_at: datetime
    """The UTC time at which it started."""
    seen_at: datetime
    """The UTC time at which it last said that it lives."""
    alive: bool
    """Whether that was within 15 seconds."""


class OpsMail(Model):
    message_id: str
    """The id of the mail, which is also the local part of its Message-ID."""
    order_id: str
    """The platform's id of the order."""
    seller: str
    """The seller's tenant id."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    document: Literal["confirmed", "revised", "cancelled", "makegood"] | str
    """The upload that a document order is made from."""
    status: Literal["queued", "sent", "failed", "bounced", "skipped"] | str
    """The current status."""
    reason: str | None
    """The reason why it failed, or why its last attempt did, as docs/operate/symptoms/order-mail-waits.md and docs/operate/stuck-reasons.md list them; null if it has not been tried."""
    attempts: int
    """The number of attempts."""
    created_at: datetime
    """The UTC time of the event that the mail reports."""
    next_attempt_at: datetime | None
    """The UTC time of the next attempt; null if there will be none."""
    run_id: str
    """The id of the run in Temporal that sends the mails of its agreement."""


class OpsMailList(Model):
    items: list[OpsMail]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class OpsOrder(Model):
    order_id: str
    """The platform's id of the order."""
    seller: str
    """The seller's tenant id."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    workflow: Literal["catalog", "proposal", "document"] | str
    """catalog, proposal or document, derived from what the order was created with."""
    status: (
        Literal[
            "submitted",
            "validating",
            "needs_confirmation",
            "confirmed",
            "negotiating",
            "seller_review",
            "placed",
            "canceled",
            "rejected",
            "failed",
        ]
        | str
    )
    """The current status."""
    substatus: Literal["awaiting_plan", "quote_lapsed", "awaiting_remote_decision"] | str | None
    """An informational step within the status."""
    last_seq: int
    """The seq of the last event of the order."""
    created_at: datetime
    """The UTC time at which it was created."""
    updated_at: datetime
    """The UTC time at which it last changed."""
    waits_on: Literal["buyer", "seller", "platform"] | str | None
    """The party that the order waits for; null if it has ended."""
    parked_since: datetime | None
    """The UTC time since which it waits for a person; null if it does not."""
    decide_by: datetime | None
    """The UTC time until which the party should decide; null without such a time."""
    overdue: bool
    """Whether the decision of the seller is overdue."""
    stuck_reason: str | None
    """The reason why it does not get on, as docs/operate/stuck-reasons.md lists them; no_progress: the platform should have moved it a minute ago. null if it is not stuck."""
    run_id: str
    """The id of its run in Temporal."""


class OpsOrderEvent(Model):
    seq: int
    """The position of the event in the log of its order, from 1 without gaps."""
    occurred_at: datetime
    """The UTC time at which it happened, strictly increasing per order."""
    status: (
        Literal[
            "submitted",
            "validating",
            "needs_confirmation",
            "confirmed",
            "negotiating",
            "seller_review",
            "placed",
            "canceled",
            "rejected",
            "failed",
        ]
        | str
    )
    """The current status."""
    substatus: Literal["awaiting_plan", "quote_lapsed", "awaiting_remote_decision"] | str | None
    """An informational step within the status."""
    gate: str | None
    """By what it was decided; null if nothing was."""
    decision: str | None
    """approve, reject or counter."""
    error_code: str | None
    """Why it failed; null if it did not."""


class OpsOrderList(Model):
    items: list[OpsOrder]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class OpsOrderRead(Model):
    order_id: str
    """The platform's id of the order."""
    seller: str
    """The seller's tenant id."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    workflow: Literal["catalog", "proposal", "document"] | str
    """catalog, proposal or document, derived from what the order was created with."""
    status: (
        Literal[
            "submitted",
            "validating",
            "needs_confirmation",
            "confirmed",
            "negotiating",
            "seller_review",
            "placed",
            "canceled",
            "rejected",
            "failed",
        ]
        | str
    )
    """The current status."""
    substatus: Literal["awaiting_plan", "quote_lapsed", "awaiting_remote_decision"] | str | None
    """An informational step within the status."""
    last_seq: int
    """The seq of the last event of the order."""
    created_at: datetime
    """The UTC time at which it was created."""
    updated_at: datetime
    """The UTC time at which it last changed."""
    waits_on: Literal["buyer", "seller", "platform"] | str | None
    """The party that the order waits for; null if it has ended."""
    parked_since: datetime | None
    """The UTC time since which it waits for a person; null if it does not."""
    decide_by: datetime | None
    """The UTC time until which the party should decide; null without such a time."""
    overdue: bool
    """Whether the decision of the seller is overdue."""
    stuck_reason: str | None
    """The reason why it does not get on, as docs/operate/stuck-reasons.md lists them; no_progress: the platform should have moved it a minute ago. null if it is not stuck."""
    run_id: str
    """The id of its run in Temporal."""
    events: list[OpsOrderEvent]
    """Its last 200 events, in their order."""


class OrderAudit(Model):
    algorithm: Literal["order-audit-1"] | str
    """The algorithm of the hashes."""
    order_id: str
    """The platform's id of the order."""
    last_seq: int
    """The seq of the newest event."""
    head_hash: str
    """The hash of the newest event. It covers the whole record up to that event."""
    record: OrderAuditRecord | None = None
    """The record before the first event, on the first page only."""
    events: list[OrderAuditEvent]
    """The events with their hashes."""
    next_after_seq: int | None
    """The after_seq of the next page; null on the last page."""


class OrderAuditEvent(Model):
    seq: int
    """The position of the event in the log of its order, from 1 without gaps."""
    prev_hash: str
    """The hash of the previous event."""
    hash: str
    """The hash over prev_hash and this event."""
    body: str
    """The event as hashed: JSON text."""


class OrderAuditRecord(Model):
    hash: str
    """The prev_hash of the first event."""
    sent_sha256: str
    """SHA-256 of the bytes of the create request."""
    request: str
    """The create request as stored: JSON text."""
    request_sha256: str
    """The SHA-256 of the create request."""
    facts: str
    """The platform's create-time facts: JSON text."""
    facts_sha256: str
    """The SHA-256 of the create-time facts."""
    reply: str | None = None
    """The create's reply, shown to the buyer."""
    reply_sha256: str
    """The SHA-256 of the stored reply."""
    notify_endpoint: str | None = None
    """The endpoint that notify_url named, shown to the buyer; empty if none."""
    notify_endpoint_sha256: str
    """The SHA-256 of the endpoint that notify_url named."""


class OrderCounts(Model):
    status: OrderCountsStatus
    """The open orders by status."""
    waiting_on: OrderCountsWaitingOn
    """The same orders by the party that they wait for."""
    overdue: int
    """The number of orders whose decision is overdue."""
    complete: bool
    """False if the caller has more than 10,000 open orders: then 10,000 of them are counted."""


class OrderCountsStatus(Model):
    submitted: int
    """The number of orders that are submitted."""
    validating: int
    """The number of orders that are validating, or wait for a plan."""
    needs_confirmation: int
    """The number of orders that are in needs_confirmation."""
    confirmed: int
    """The number of orders that are confirmed."""
    seller_review: int
    """The number of orders that are in seller_review."""
    negotiating: int
    """The number of orders that are negotiating."""


class OrderCountsWaitingOn(Model):
    buyer: int
    """The number of orders that wait for their buyer."""
    seller: int
    """The number of orders that wait for their seller."""
    platform: int
    """The number of orders that wait for the platform."""


class OrderCreated(Model):
    order_id: str
    """The platform's id of the order."""
    external_order_id: str
    """The buyer's own id of the order, which is also its idempotency key. Every event echoes it."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    status: Literal["submitted"] | str
    """The current status."""
    created_at: datetime
    """The UTC time at which it was created."""
    warnings: list[AnyOrderWarning] | None = None
    """What the sender should know. Nothing was refused because of it."""


class OrderDocument(Model):
    upload_id: str
    """The id of an upload: one of the caller's, or a file of the order."""
    format: Literal["pdf", "xlsx", "csv"] | str
    """pdf, xlsx or csv."""


class OrderEvent(Model):
    event_type: Literal["order.status_changed"]
    """The type of the event."""
    event_id: str | None = None
    """order_id:seq, the webhook-id of its deliveries. Events of releases before November 2026 do not have it."""
    order_id: str
    """The platform's id of the order."""
    external_order_id: str
    """The buyer's own id of the order, which is also its idempotency key. Every event echoes it."""
    seq: int
    """The position of the event in the log of its order, from 1 without gaps."""
    status: (
        Literal[
            "submitted",
            "validating",
            "needs_confirmation",
            "confirmed",
            "negotiating",
            "seller_review",
            "placed",
            "canceled",
            "rejected",
            "failed",
        ]
        | str
    )
    """The current status."""
    prior_status: (
        Literal[
            "submitted",
            "validating",
            "needs_confirmation",
            "confirmed",
            "negotiating",
            "seller_review",
            "placed",
            "canceled",
            "rejected",
            "failed",
        ]
        | str
        | None
    )
    """The status before the event; null on the first event."""
    substatus: Literal["awaiting_plan", "quote_lapsed", "awaiting_remote_decision"] | str | None
    """An informational step within the status."""
    units: list[LineResult] | None = None
    """The lines of the order after the event."""
    artifact: Artifact | None = None
    """The result that the event carries."""
    error: OrderEventError | None = None
    """The reason why the order failed."""
    decision_record: DecisionRecord | None = None
    """The decision, who made it, and the gate that it came through."""
    decision_latency: DecisionLatency | None = None
    """The time that the decision took, compared with the declared sla."""
    cancellation: Cancellation | None = None
    """The reason for the cancellation, who canceled, and whether it was in time."""
    upload_ids: list[str] | None = None
    """The ids of the attachments of the order."""
    acceptance_band: Literal["satisfied", "not_satisfied", "not_evaluable"] | str | None = None
    """The bounds within which a plan is accepted automatically; on replies and events, the verdict."""
    acceptance_band_reason: Literal["totals_understated"] | str | None = None
    """The reason why the band could not be evaluated. totals_understated: the stated gross is below the sum of the lines."""
    computed_gross: Money | None = None
    """The sum of the lines of the plan, in major units of the currency."""
    line_bookings: list[LineBooking] | None = None
    """The dates and impressions that the lines of a plan or counter would book."""
    occurred_at: datetime
    """The UTC time at which it happened, strictly increasing per order."""


class OrderEventError(Model):
    error_code: Literal["STALE_RATE_CARD", "INVENTORY_UNAVAILABLE", "INVALID_INPUT"] | str
    """The code of the error."""
    error_message: str
    """The error in one sentence for people."""
    stage: str
    """The stage at which the error occurred."""
    recoverable: bool
    """Whether the caller can succeed by changing the request or trying again."""
    details: OrderEventErrorDetails
    """The members concerned, and what is allowed."""


class OrderEventErrorDetails(Model):
    rate_drift: list[RateDrift] | None = None
    """The lines whose cited price is no longer current."""
    ended_quotes: list[CitedEnded] | None = None
    """The quotes that ended before the order was validated."""


class OrderList(Model):
    orders: list[OrderListItem]
    """The orders, without their lines and artifacts."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class OrderListItem(Model):
    order_id: str
    """The platform's id of the order."""
    external_order_id: str
    """The buyer's own id of the order, which is also its idempotency key. Every event echoes it."""
    seller: str
    """The seller's tenant id."""
    seller_name: str | None = None
    """The name of the seller when the order was created; absent on older orders."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    buyer_name: str | None = None
    """The name of the buyer when the order was created; absent on older orders."""
    workflow: Literal["catalog", "proposal", "document"] | str
    """catalog, proposal or document, derived from what the order was created with."""
    status: (
        Literal[
            "submitted",
            "validating",
            "needs_confirmation",
            "confirmed",
            "negotiating",
            "seller_review",
            "placed",
            "canceled",
            "rejected",
            "failed",
        ]
        | str
    )
    """The current status."""
    substatus: Literal["awaiting_plan", "quote_lapsed", "awaiting_remote_decision"] | str | None
    """An informational step within the status."""
    last_seq: int
    """The seq of the last event of the order."""
    rate_version: str
    """The commit of the rate card that the order was priced against; on catalogs, the newest commit."""
    taxonomy_version: str
    """The version of the taxonomy that describes the products."""
    buyer_metadata: BuyerMetadata
    """What the buyer says about the campaign."""
    issued_at: str
    """The time at which the buyer system issued the order; its offset is kept as sent. The notice of the order that it revises is measured at it."""
    flight: DateRange | None = None
    """The dates between which every air date must lie, both inclusive."""
    attachments: list[Attachment] | None = None
    """Files beside the lines. They are never parsed."""
    revision: OrderListItemRevision
    """The order that this one revises."""
    settlement_mode: Literal["direct", "cleared"] | str
    """direct, or cleared through the platform. It is resolved from the agreement."""
    agreement_id: str | None = None
    """The id of the agreement between the seller and the buyer."""
    cancellation_terms: CancellationTerms | None
    """The notice and the fee of a cancellation. An order keeps the terms it was created with."""
    buyer_requests: dict[str, Any] | None = None
    """Requests of the buyer. They are recorded and shown at the approval, and never scheduled around."""
    notify_url: str | None = None
    """A registered endpoint of the buyer that receives this order's events regardless of its filters."""
    created_at: datetime
    """The UTC time at which it was created."""
    updated_at: datetime
    """The UTC time at which it last changed."""
    totals: Totals
    """The sums over the lines."""
    decision_latency: DecisionLatency | None = None
    """The time that the decision took, compared with the declared sla."""
    cancellation: Cancellation | None = None
    """The reason for the cancellation, who canceled, and whether it was in time."""
    error: OrderListItemError | None = None
    """The reason why the order failed."""
    events_url: str
    """The path of the replay of this order's events."""
    line_count: int
    """The number of lines that the buyer asked for; counters are not counted."""
    units: int
    """The units of these lines, as asked for."""
    first_air_date: date_aliased | None
    """The first date on which accepted lines air; before a decision, on which requested lines may. Null if nothing says when."""
    allowed_actions: list[Literal["confirm", "respond", "withdraw", "cancel", "decide", "plan"] | str]
    """The actions that the caller can take on the order now."""
    waiting_on: WaitingOn | None
    """The party that the order waits for, and from when until when."""


class OrderListItemError(Model):
    error_code: str
    """The code of the error."""


class OrderListItemRevision(Model):
    version: int
    """The version of the order, one more than that of the order it revises."""
    supersedes: str | None
    """The id of the order that is revised."""


class OrderPreview(Model):
    valid: Literal[True]
    """Always true: a create with the same body would be accepted."""
    warnings: list[AnyOrderWarning] | None = None
    """What the sender should know. Nothing was refused because of it."""
    totals: Totals
    """The sums over the lines."""
    line_items: list[LineResult]
    """The lines of the order."""


class OrderSnapshot(Model):
    order_id: str
    """The platform's id of the order."""
    external_order_id: str
    """The buyer's own id of the order, which is also its idempotency key. Every event echoes it."""
    seller: str
    """The seller's tenant id."""
    seller_name: str | None = None
    """The name of the seller when the order was created; absent on older orders."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    buyer_name: str | None = None
    """The name of the buyer when the order was created; absent on older orders."""
    workflow: Literal["catalog", "proposal", "document"] | str
    """catalog, proposal or document, derived from what the order was created with."""
    status: (
        Literal[
            "submitted",
            "validating",
            "needs_confirmation",
            "confirmed",
            "negotiating",
            "seller_review",
            "placed",
            "canceled",
            "rejected",
            "failed",
        ]
        | str
    )
    """The current status."""
    substatus: Literal["awaiting_plan", "quote_lapsed", "awaiting_remote_decision"] | str | None
    """An informational step within the status."""
    last_seq: int
    """The seq of the last event of the order."""
    rate_version: str
    """The commit of the rate card that the order was priced against; on catalogs, the newest commit."""
    taxonomy_version: str
    """The version of the taxonomy that describes the products."""
    buyer_metadata: BuyerMetadata
    """What the buyer says about the campaign."""
    issued_at: str
    """The time at which the buyer system issued the order; its offset is kept as sent. The notice of the order that it revises is measured at it."""
    flight: DateRange | None = None
    """The dates between which every air date must lie, both inclusive."""
    attachments: list[Attachment] | None = None
    """Files beside the lines. They are never parsed."""
    revision: OrderSnapshotRevision
    """The order that this one revises."""
    settlement_mode: Literal["direct", "cleared"] | str
    """direct, or cleared through the platform. It is resolved from the agreement."""
    agreement_id: str | None = None
    """The id of the agreement between the seller and the buyer."""
    cancellation_terms: CancellationTerms | None
    """The notice and the fee of a cancellation. An order keeps the terms it was created with."""
    buyer_requests: dict[str, Any] | None = None
    """Requests of the buyer. They are recorded and shown at the approval, and never scheduled around."""
    notify_url: str | None = None
    """A registered endpoint of the buyer that receives this order's events regardless of its filters."""
    created_at: datetime
    """The UTC time at which it was created."""
    updated_at: datetime
    """The UTC time at which it last changed."""
    totals: Totals
    """The sums over the lines."""
    decision_latency: DecisionLatency | None = None
    """The time that the decision took, compared with the declared sla."""
    cancellation: Cancellation | None = None
    """The reason for the cancellation, who canceled, and whether it was in time."""
    error: OrderSnapshotError | None = None
    """The reason why the order failed."""
    events_url: str
    """The path of the replay of this order's events."""
    request: ProposalRequest | None = None
    """The request for a proposal."""
    document: OrderDocument | None = None
    """The upload that a document order is made from."""
    line_items: list[LineResult]
    """The lines of the order."""
    artifacts: list[Artifact]
    """The results of the order: receipt, plan, parsed document."""
    allowed_actions: list[Literal["confirm", "respond", "withdraw", "cancel", "decide", "plan"] | str]
    """The actions that the caller can take on the order now."""
    waiting_on: WaitingOn | None
    """The party that the order waits for, and from when until when."""


class OrderSnapshotError(Model):
    error_code: str
    """The code of the error."""


class OrderSnapshotRevision(Model):
    version: int
    """The version of the order, one more than that of the order it revises."""
    supersedes: str | None
    """The id of the order that is revised."""


class OrderWarning(Model):
    code: Literal["DATE_GRAIN_AVAILS_MISSING", "ABOVE_PUBLISHED_AVAIL", "DOUBLE_BOOKED_WEEK"] | str
    """The code of the warning."""
    product_id: str
    """The id of a product in the seller's catalog."""
    dates: list[date_aliased]
    """The dates booked in the month, with their units."""
    order_ids: list[str] | None = None
    """For DOUBLE_BOOKED_WEEK: your other orders that book these dates."""


class Pacing(Model):
    agreement_id: str
    """The id of the agreement between the seller and the buyer."""
    currency: str
    """The currency of the money, by its ISO 4217 code."""
    commitment_gross: Money | None
    """The gross that the buyer has committed to book, in major units of the currency."""
    booked_gross: Money
    """The gross booked under the agreement, in major units of the currency."""
    remaining: Money | None
    """commitment_gross minus booked_gross, in major units of the currency; null without a commitment."""
    invoiced_gross: Money
    """The gross of invoices under the agreement less that of credit notes, in major units of the currency."""
    as_of: datetime
    """The UTC time of the figures. On commands, in the sandbox only, the time that windows are measured against."""


class PageText(Model):
    text: str
    """The text as it stands there, at most 256 characters."""
    at: str
    """Its place, as document_parse names it: B7, Buy!B7, page 2."""
    left: float
    """In a grid the number of its first column, on a page points from the left edge."""
    right: float
    """Where it ends, excluded: as left."""
    y: float
    """In a grid the number of its row, on a page points from the top to its baseline."""
    size: float
    """The height of its characters in points; 1 in a grid."""
    rows: int | None = None
    """The rows of a merged cell, if more than one."""


class PaidInvoice(Model):
    invoice_id: str
    """The id of the invoice or credit note."""
    invoice_number: str
    """The number of the invoice or credit note, unique for its seller: YYMM of the broadcast month and the seller's next number of that month."""
    kind: Literal["invoice", "credit_note"] | str
    """invoice, or credit_note, whose amounts are negative."""
    credits: str | None = None
    """The units that are credited."""
    reason: str | None = None
    """The reason for the credit."""
    seller: str
    """The seller's tenant id."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    order_id: str
    """The platform's id of the order."""
    external_order_id: str
    """The buyer's own id of the order, which is also its idempotency key. Every event echoes it."""
    agreement_id: str
    """The id of the agreement between the seller and the buyer."""
    estimate_id: str | None = None
    """The agency's estimate, echoed on delivery to its billing system."""
    broadcast_month: str
    """The broadcast month: its weeks, Monday to Sunday, end on the last Sunday of the calendar month."""
    currency: str
    """The currency of the money, by its ISO 4217 code."""
    gross: Money
    """The sum of the lines, in major units of the currency."""
    commission_pct: float
    """The agency's commission, in percent of the gross, as the agreement had it at issue."""
    commission: Money
    """The agency's commission, in major units of the currency."""
    net: Money
    """The gross minus the commission, in major units of the currency."""
    undisputed_gross: Money
    """The gross without units under dispute, in major units of the currency."""
    credited_gross: Money
    """What credit notes have credited of the invoice, in major units of the currency."""
    status: Literal["issued", "paid", "credited"] | str
    """issued, paid, or credited when credit notes have credited all of it."""
    issued_at: datetime
    """The time at which the buyer system issued the order; its offset is kept as sent. The notice of the order that it revises is measured at it."""
    paid_at: datetime | None = None
    """When the invoice was marked as paid; a UTC time."""
    paid_on: date_aliased | None = None
    """The date of the payment; the current UTC date if omitted."""
    reference: str | None = None
    """The seller's reference of the payment."""
    lines: list[InvoiceLine]
    """The lines: those of the order by unit_id, then fees."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class PlacementReceipt(Model):
    name: Literal["placement_receipt"]
    """A name for display."""
    seq: int
    """The position of the event in the log of its order, from 1 without gaps."""
    seller_order_id: str
    """The seller's own id of the order. The platform generates one if none is sent."""
    daylocks: list[PlacementReceiptDaylock]
    """The units per line and date, ordered by unit_id and date."""
    placed_at: datetime
    """The UTC time at which the order was placed, which is the time of the deciding event."""
    in_force_from: date_aliased | None = None
    """Present if an earlier order of the family was placed: dates before this one stay with that order, which bills them."""
    in_force_at: datetime | None = None
    """The UTC time at which that order ended. in_force_from is its date in the time zone of the product, the earliest if the products have several."""


class PlacementReceiptDaylock(Model):
    unit_id: str
    """The id of a line of the order."""
    date: date_aliased
    """An air date, YYYY-MM-DD."""
    units: int
    """The number of units."""


class PlanLine(Model):
    product_id: str | None = None
    """The id of a product in the seller's catalog."""
    product: NewProduct | None = None
    """A product to create for this buyer, in place of product_id."""
    period: Period
    """The day, ISO week or month that it covers."""
    units: int | None = None
    """The number of units."""
    impressions_goal: int | None = None
    """The number of impressions to reach, on proposal and document orders only."""
    spot_length: int
    """The length of a spot in seconds."""
    include_mirror: bool | None = None
    """Whether the line also books the mirror of its product."""
    rc_impressions: dict[str, float] | None = None
    """Impression estimates by audience code at the time of the order."""
    rate: PlanLineRate
    """The price of the line."""
    quote: PlanLineQuote | None = None
    """The price offered to this buyer only."""


class PlanLineQuote(Model):
    unit_cost: Money | None = None
    """The gross price of one unit, in major units of its currency. Exactly one of this and cpm."""
    cpm: Money | None = None
    """The gross price of a thousand impressions, in major units of its currency."""
    expires_at: datetime
    """The UTC time at which it ends on its own."""


class PlanLineRate(Model):
    market_class: Literal["scatter", "discounted"] | str
    """The market class: scatter or discounted."""
    advertiser_class: str
    """The class of advertiser that the price applies to."""
    buy_type: Literal["preemptible", "non_preemptible", "audience_guaranteed", "fixed_position"] | str
    """The way in which the line is bought: preemptible, non_preemptible, audience_guaranteed or fixed_position."""
    clearance_tier: str | None = None
    """The clearance tier of the price."""
    unit_cost: Money | None = None
    """The gross price of one unit, in major units of its currency. Exactly one of this and cpm."""
    cpm: Money | None = None
    """The gross price of a thousand impressions, in major units of its currency."""
    guaranteed_impressions: int | None = None
    """The number of impressions that one unit guarantees."""
    audience_code: str | None = None
    """The audience that impressions are counted in."""
    locked_rate_id: str | None = None
    """The id of a published price: one rate entry in one ISO week. An order line cites it unchanged."""
    currency: str
    """The currency of the money, by its ISO 4217 code."""
    quote_expires_at: datetime | None = None
    """The UTC time at which the quote lapses. It cannot be accepted afterwards."""
    rate_basis: Any | None = None
    """per_unit or cpm, derived from the cost member that is present. A sent value is ignored."""


class PlanOrder(Model):
    plan_id: str | None = None
    """The id of a plan that the seller posted for a proposal."""
    actor: str | None = None
    """The name of the person or system that acts, for display. It is recorded verbatim and is not an identity."""
    line_items: list[PlanLine]
    """The lines of the order."""
    plan_totals: PlanTotals
    """The seller's own totals of the plan."""
    unmet: list[Any] | None = None
    """The shortfalls of the plan, in your own words. They are kept verbatim."""
    expires_at: datetime
    """The UTC time at which it ends on its own."""
    last_seq: int | None = None
    """The last_seq of the order as you read it. If the order has changed since, the reply is 409 INVALID_STATE."""


class PlanProposal(Model):
    name: Literal["plan_proposal"]
    """A name for display."""
    seq: int
    """The position of the event in the log of its order, from 1 without gaps."""
    plan_id: str
    """The id of a plan that the seller posted for a proposal."""
    actor: str | None = None
    """The name of the person or system that acts, for display. It is recorded verbatim and is not an identity."""
    line_items: list[LineResult]
    """The lines of the order."""
    plan_totals: PlanTotals
    """The seller's own totals of the plan."""
    computed_gross: Money | None = None
    """The sum of the lines in major units of the currency, computed by the platform."""
    unmet: list[Any]
    """The shortfalls of the plan, in the seller's words."""
    expires_at: datetime
    """The UTC time at which it ends on its own."""
    sha256: str
    """The SHA-256 of the plan as it was sent, in hexadecimal."""


class PlanReply(Model):
    order_id: str
    """The platform's id of the order."""
    plan_id: str
    """The id of a plan that the seller posted for a proposal."""
    status: (
        Literal[
            "submitted",
            "validating",
            "needs_confirmation",
            "confirmed",
            "negotiating",
            "seller_review",
            "placed",
            "canceled",
            "rejected",
            "failed",
        ]
        | str
    )
    """The current status."""
    last_seq: int
    """The seq of the last event of the order."""
    acceptance_band: Literal["satisfied", "not_satisfied", "not_evaluable"] | str | None
    """The bounds within which a plan is accepted automatically; on replies and events, the verdict."""
    acceptance_band_reason: Literal["totals_understated"] | str | None = None
    """The reason why the band could not be evaluated. totals_understated: the stated gross is below the sum of the lines."""
    computed_gross: Money | None = None
    """The sum of the lines of the plan, in major units of the currency."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class PlanTotals(Model):
    gross: Money | None = None
    """The gross amount, in major units of the currency."""
    projected_delivery: dict[str, float] | None = None
    """The projected number of impressions by audience code."""


class PostingPolicyOverride(Model):
    product_id: str
    """The id of a product in the seller's catalog."""
    posting_policy: str
    """The policy by which deliveries of the product are posted, in the seller's words."""


class ProductSeen(Model):
    """What the buyer sees of a product."""

    pricing_policy: Literal["published", "quote"] | str
    """published: prices are on the rate card. quote: prices are quoted per campaign."""
    avails_policy: Literal["published", "on_request", "withheld"] | str
    """published: on the avails read. on_request: answered on request. withheld: never shown."""


class ProgramDefinition(Model):
    title: str
    """The title of the program."""
    occurrences: list[Occurrence]
    """The airings of the program."""
    timezone: str
    """An IANA time zone, such as America/Chicago."""


class ProgramNewProduct(Model):
    name: str | None = None
    """A name for display."""
    network: str
    """The network or station that the product airs on."""
    effective: DateRange | None = None
    """The dates between which it is in force, both inclusive."""
    currencies: list[str] | None = None
    """Audience codes that impressions are counted in, never money currencies. The list may be empty."""
    buy_types: list[Literal["preemptible", "non_preemptible", "audience_guaranteed", "fixed_position"] | str]
    """The ways in which the product can be bought."""
    grains: list[Literal["day", "week", "month"] | str] | None = None
    """The period lengths that the product is sold by."""
    visibility: Literal["open", "by_agreement"] | str | None = None
    """open: every buyer sees it. by_agreement: only buyers whose agreement unlocks it."""
    disclosure: Disclosure | None = None
    """The prices and avails of the product that are published."""
    posting_policy: str | None = None
    """The policy by which deliveries of the product are posted, in the seller's words."""
    reporting_dayparts: (
        list[
            Literal[
                "early_morning",
                "daytime",
                "primetime",
                "late_night",
                "overnight",
                "weekend",
            ]
            | str
        ]
        | None
    ) = None
    """Dayparts for reports. They are descriptive only."""
    external_ref: str | None = None
    """The seller's own reference, unique per seller. Buyers never see it."""
    billboard: dict[str, Any] | None = None
    """Information about billboards. Nothing is validated or priced by it."""
    spot_lengths: list[int] | None = None
    """The spot lengths that the product is sold in, in seconds."""
    advertiser_classes: list[str] | None = None
    """The advertiser classes that the product is priced for."""
    mirror_product_id: str | None = None
    """The id of the product in which every spot also airs if a line asks for it."""
    type: Literal["program"]
    """The kind of product, which decides the shape of definition."""
    definition: ProgramDefinition
    """The days and times at which the product airs, in the shape of its type."""


class ProgramProduct(Model):
    product_id: str
    """The id of a product in the seller's catalog."""
    status: Literal["available", "withdrawn"] | str | None = None
    """withdrawn: no buyer sees the product and no new order can book it. available if omitted."""
    name: str | None = None
    """A name for display."""
    network: str
    """The network or station that the product airs on."""
    effective: DateRange | None = None
    """The dates between which it is in force, both inclusive."""
    currencies: list[str] | None = None
    """Audience codes that impressions are counted in, never money currencies. The list may be empty."""
    buy_types: list[Literal["preemptible", "non_preemptible", "audience_guaranteed", "fixed_position"] | str]
    """The ways in which the product can be bought."""
    grains: list[Literal["day", "week", "month"] | str] | None = None
    """The period lengths that the product is sold by."""
    visibility: Literal["open", "by_agreement"] | str | None = None
    """open: every buyer sees it. by_agreement: only buyers whose agreement unlocks it."""
    disclosure: Disclosure | None = None
    """The prices and avails of the product that are published."""
    posting_policy: str | None = None
    """The policy by which deliveries of the product are posted, in the seller's words."""
    reporting_dayparts: (
        list[
            Literal[
                "early_morning",
                "daytime",
                "primetime",
                "late_night",
                "overnight",
                "weekend",
            ]
            | str
        ]
        | None
    ) = None
    """Dayparts for reports. They are descriptive only."""
    external_ref: str | None = None
    """The seller's own reference, unique per seller. Buyers never see it."""
    billboard: dict[str, Any] | None = None
    """Information about billboards. Nothing is validated or priced by it."""
    spot_lengths: list[int] | None = None
    """The spot lengths that the product is sold in, in seconds."""
    advertiser_classes: list[str] | None = None
    """The advertiser classes that the product is priced for."""
    mirror_product_id: str | None = None
    """The id of the product in which every spot also airs if a line asks for it."""
    type: Literal["program"]
    """The kind of product, which decides the shape of definition."""
    definition: ProgramDefinition
    """The days and times at which the product airs, in the shape of its type."""


class ProposalRequest(Model):
    request_type: Literal["audience_plan", "specs", "open"] | str
    """audience_plan, specs or open."""
    audience: ProposalRequestAudience | None = None
    """The audience to reach, by exactly one of definition, audience_id and upload_id."""
    anchor_package_ids: list[str] | None = None
    """The ids of products that the plan builds around."""
    budget_gross: Money | None = None
    """The gross budget of the flight, in major units of the currency."""
    flight: DateRange | None = None
    """The dates between which every air date must lie, both inclusive."""
    constraints: dict[str, Any] | None = None
    """Spot lengths, ceilings of unit cost (in major units of the currency) and copy splits."""
    acceptance_band: AcceptanceBand | None = None
    """The bounds within which a plan is accepted automatically; on replies and events, the verdict."""
    brief: str | None = None
    """The request in plain language."""


class ProposalRequestAudience(Model):
    definition: dict[str, Any] | None = None
    """The audience, defined inline by demo and segments."""
    audience_id: str | None = None
    """The id of a shared audience."""
    upload_id: str | None = None
    """The id of an upload: one of the caller's, or a file of the order."""
    currency_goal: ProposalRequestAudienceCurrencyGoal | None = None
    """The unit and the target to hit."""


class ProposalRequestAudienceCurrencyGoal(Model):
    unit: str
    """The audience code that the target is counted in."""
    target: float
    """The number of impressions to deliver."""


class PublishEffect(Model):
    added: int
    """The number of products, avails or prices per ISO week that would be new."""
    changed: int
    """The number of products, avails or prices per ISO week that would differ from what is published."""
    unchanged: int
    """The number of products, avails or prices per ISO week that are published just so already."""
    ended: int
    """The number of products, avails or prices per ISO week that would end: products that are withdrawn."""
    changes: list[PublishEffectChange]
    """The first 1,000 entries that would change."""
    open_orders_drifting: int
    """The number of open orders that cite a price which the card would replace."""


class PublishEffectChange(Model):
    change: Literal["added", "changed", "ended"] | str
    """What would become of the entry."""
    product_id: str
    """The id of a product in the seller's catalog."""
    start: str | None
    """The period of an avail or the ISO week of a price; null for a product."""
    before: dict[str, Any] | None
    """What is published; null if nothing is."""
    after: dict[str, Any] | None
    """What would be published."""


class PublishedAvails(Model):
    avails: list[Avail]
    """The avail entries. Each one is checked, and accepted or refused, on its own."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class PutAgreement(Model):
    agreement_id: str | None = None
    """The agreement id. If sent, it must equal the id in the path."""
    seller: str | None = None
    """The seller. If sent, it must be the caller."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    status: Literal["active", "ended"] | str | None = None
    """active or ended."""
    effective: DateRange
    """The dates between which it is in force, both inclusive."""
    settlement_mode: Literal["direct", "cleared"] | str | None = None
    """direct, or cleared through the platform. It is resolved from the agreement."""
    currency: str | None = None
    """The currency of the money, by its ISO 4217 code."""
    credit_limit: Money | None = None
    """The highest total of cleared orders at any time, in major units of the currency; no limit if null or omitted."""
    commitment_gross: Money | None = None
    """The gross that the buyer has committed to book, in major units of the currency."""
    permitted_buy_types: (
        list[
            Literal[
                "preemptible",
                "non_preemptible",
                "audience_guaranteed",
                "fixed_position",
            ]
            | str
        ]
        | None
    ) = None
    """The values permitted under the agreement; no restriction if omitted or empty."""
    permitted_grains: list[Literal["day", "week", "month"] | str] | None = None
    """The values permitted under the agreement; no restriction if omitted or empty."""
    catalog_scope: Literal["*"] | str | list[str] | None = None
    """The by_agreement products that the agreement unlocks, or * for all of them. It never hides open products."""
    disclosure_overrides: list[DisclosureOverride] | None = None
    """What is published to this buyer, in place of the products' own disclosure."""
    posting_policy_overrides: list[PostingPolicyOverride] | None = None
    """The posting policies for this buyer, in place of the products' own."""
    cancellation_terms: GrantedTerms | None = None
    """The notice and the fee of a cancellation. An order keeps the terms it was created with."""
    edi: EdiDelivery | None = None
    """The delivery of order documents to the agency's billing system; none if omitted. Setting or changing it needs the scope orders:approve as well. A marketplace that sends no mail refuses it."""
    agency_commission_pct: float | None = None
    """The agency's commission, in percent of the gross of an invoice, as it is when the invoice is issued; 0 if omitted."""
    reconciliation: ReconciliationMinutes | None = None
    """Within how many minutes the spots of orders are matched with what aired and was billed. A change reconciles the orders again."""
    makegood_guidelines: MakegoodGuidelines | None = None
    """When the platform accepts an offered makegood in the place of the buyer; a person decides on every offer if omitted."""
    makegood_billing: Literal["booked", "aired"] | str | None = None
    """The broadcast month in which a makegood is billed: that of the booked spot, or that of its airing. aired if omitted."""
    external_ref: str | None = None
    """The seller's own reference, unique per seller. Buyers never see it."""


class PutApprovalRules(Model):
    rules: list[ApprovalRule]
    """The approval rules in order. The first rule that matches decides."""


class PutBuyer(Model):
    status: Literal["active", "suspended"] | str | None = None
    """active, or suspended: creates by this buyer are refused."""
    allowlisted: bool | None = None
    """Whether the buyer may order from a seller that only takes listed buyers."""


class PutMapping(Model):
    """At most 65536 characters as JSON. A seller has at most 100."""

    type: Literal["catalog", "rate_cards", "avails", "delivery_posts"] | str
    """The type of the files."""
    headers: list[str]
    """All headings of the files; their order, case and spaces do not matter. A file that has exactly these in one of its first 21 rows is read by the mapping."""
    columns: dict[str, str]
    """Our columns, each with the heading of the file that holds it."""
    constants: dict[str, str] | None = None
    """Our columns that the files lack, each with the text of its cell in every row."""
    values: dict[str, dict[str, str]] | None = None
    """Our columns, each with the words of the files and the text that we have for it. Case does not matter; an empty word is an empty cell, and * every other text."""
    parts: (
        dict[
            str,
            Literal["in_brackets", "before_colon", "after_colon", "first_word", "last_word"] | str,
        ]
        | None
    ) = None
    """Our columns whose cells say more than the value, each with the part that is it: in_brackets, the last text in round brackets; before_colon and after_colon, what is beside the first colon; first_word; last_word. A cell without that part is taken whole. values are of the part."""
    skip: list[SkipRule] | None = None
    """The rows that are left out."""
    date_order: Literal["mdy", "dmy"] | str | None = None
    """mdy: 6/3/2030 has the month first; dmy: the day. Without it such dates are read only where those of the whole column allow one order."""
    clock: Literal["calendar", "broadcast"] | str | None = None
    """The clock of air_time in every row of delivery_posts."""
    decimal: Literal["point", "comma"] | str | None = None
    """point: 1,250.00; comma: 1.250,00. Without it such numbers are read only where those of the whole column allow one reading."""


class PutQueueDelivery(Model):
    events: (
        list[
            Literal[
                "order.status_changed",
                "catalog.rate_card_published",
                "catalog.window_opened",
                "catalog.avails_answered",
                "catalog.integrity_failed",
                "settlement.invoice_issued",
            ]
            | str
        ]
        | None
    ) = None
    """The event types to send; all types if omitted or null."""
    statuses: (
        list[
            Literal[
                "submitted",
                "validating",
                "needs_confirmation",
                "confirmed",
                "negotiating",
                "seller_review",
                "placed",
                "canceled",
                "rejected",
                "failed",
            ]
            | str
        ]
        | None
    ) = None
    """The order statuses to which order.status_changed is restricted; all statuses if omitted or null."""
    after: str | None = None
    """A next_cursor of the feed with the same filters; delivery begins after it. If omitted, a new delivery begins now and an existing one continues."""


class PutSecret(Model):
    value: str
    """The secret: whsec_ and base64, or any text. No reply ever shows it."""


class QuestionChoice(Model):
    choice: str
    """The answer."""
    text: str
    """The answer in words."""
    orders: list[int] | None = None
    """The lines that stay ordered; without it, all of them."""
    product_id: str | None = None
    """The id of a product in the seller's catalog."""
    read: list[QuestionChoiceReadItem] | None = None
    """What lines of the question state with this answer."""


class QuestionChoiceReadItem(Model):
    line: int
    """The number of the line in the document, from 1."""
    period: QuestionChoiceReadItemPeriod | None = None
    """The day, ISO week or month that it covers."""
    units: ReadValue | None = None
    """The units as the document states them."""
    unit_cost: ReadValue | None = None
    """The gross price of one unit, in major units of its currency. Exactly one of this and cpm."""
    basis: ReadValue | None = None
    """Of an order for airtime: gross, net or unknown, what its price is."""


class QuestionChoiceReadItemPeriod(Model):
    read: str
    """What the document says."""
    at: str
    """The time of the action; a UTC time."""
    value: Period | None = None
    """The value as it was understood."""


class QueueDelivery(Model):
    exchange: str
    """The name of a durable topic exchange of this tenant only. The routing key is the event type."""
    queue: str
    """The name of a durable queue bound to the whole exchange. It exists on the broker before the reply; declare it passively or not at all."""
    events: (
        list[
            Literal[
                "order.status_changed",
                "catalog.rate_card_published",
                "catalog.window_opened",
                "catalog.avails_answered",
                "catalog.integrity_failed",
                "settlement.invoice_issued",
            ]
            | str
        ]
        | None
    )
    """The event types; all types if omitted."""
    statuses: (
        list[
            Literal[
                "submitted",
                "validating",
                "needs_confirmation",
                "confirmed",
                "negotiating",
                "seller_review",
                "placed",
                "canceled",
                "rejected",
                "failed",
            ]
            | str
        ]
        | None
    )
    """The order statuses to which order.status_changed is restricted; all statuses if omitted."""
    credential_id: str | None
    """The id of the credential that authorizes the events; null if it is no longer valid."""
    readable_events: list[
        Literal[
            "order.status_changed",
            "catalog.rate_card_published",
            "catalog.window_opened",
            "catalog.avails_answered",
            "catalog.integrity_failed",
            "settlement.invoice_issued",
        ]
        | str
    ]
    """The event types that this credential may read. Other types are never sent."""
    created_at: datetime
    """The UTC time at which it was created."""
    up_to_date: bool
    """Whether the broker has confirmed every event so far."""
    failing: QueueDeliveryFailing | None
    """The time since which publishing fails, and the reason; null while it works. No event is lost."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class QueueDeliveryFailing(Model):
    since: datetime
    """The UTC time at which it began."""
    reason: (
        Literal[
            "broker_unreachable",
            "access_refused",
            "unsuitable_queue",
            "rejected",
            "unroutable",
            "failed",
            "credential_revoked",
            "credential_expired",
        ]
        | str
    )
    """The reason, in the words of the person or system that acted."""


class RangeRedelivered(Model):
    endpoint_id: str
    """The id of a webhook endpoint."""
    redelivered: int
    """The number of deliveries that are sent again."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class RateCardCommit(Model):
    commit: str
    """The name of one version of the rate card. A name is never reused for other content."""
    effective: DateRange
    """The dates between which it is in force, both inclusive."""
    entries: list[RateEntry]
    """The rate entries. Each one is checked, and accepted or refused, on its own."""
    agreement_id: str | None = None
    """The id of the agreement between the seller and the buyer."""


class RateCardDiff(Model):
    commit: str
    """The name of one version of the rate card. A name is never reused for other content."""
    against: str | None
    """The commit that it is compared with; null if there is none before it."""
    added: int
    """The number of prices that this commit alone has."""
    changed: int
    """The number of prices that both have, with another price, currency or guarantee."""
    removed: int
    """The number of prices that the other commit alone has."""
    unchanged: int
    """The number of prices that both have alike."""
    items: list[RateCardDiffItem]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class RateCardDiffItem(Model):
    change: Literal["added", "changed", "removed"] | str
    """What differs; a price that both have alike is not listed."""
    product_id: str
    """The id of a product in the seller's catalog."""
    week: str
    """An ISO week, YYYY-Www. A rate entry without a week covers every week of its commit."""
    spot_length: int
    """The length of a spot in seconds."""
    market_class: str
    """The market class: scatter or discounted."""
    advertiser_class: str
    """The class of advertiser that the price applies to."""
    buy_type: str
    """The way in which the line is bought: preemptible, non_preemptible, audience_guaranteed or fixed_position."""
    clearance_tier: str | None = None
    """The clearance tier of the price."""
    before: RateCardDiffItemBefore | None
    """The price of the other commit; null if it has none."""
    after: RateCardDiffItemAfter | None
    """The price of this commit; null if it has none."""


class RateCardDiffItemAfter(Model):
    locked_rate_id: str
    """The id of a published price: one rate entry in one ISO week. An order line cites it unchanged."""
    gross_rate_unit: Money | None = None
    """The gross price of one unit, in major units of its currency. Exactly one of this and gross_rate_cpm."""
    gross_rate_cpm: Money | None = None
    """The gross price of a thousand impressions, in major units of its currency."""
    currency: str
    """The currency of the money, by its ISO 4217 code."""


class RateCardDiffItemBefore(Model):
    locked_rate_id: str
    """The id of a published price: one rate entry in one ISO week. An order line cites it unchanged."""
    gross_rate_unit: Money | None = None
    """The gross price of one unit, in major units of its currency. Exactly one of this and gross_rate_cpm."""
    gross_rate_cpm: Money | None = None
    """The gross price of a thousand impressions, in major units of its currency."""
    currency: str
    """The currency of the money, by its ISO 4217 code."""


class RateCardList(Model):
    items: list[RateCardListItem]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class RateCardListItem(Model):
    commit: str
    """The name of one version of the rate card. A name is never reused for other content."""
    effective: RateCardListItemEffective
    """The dates between which it is in force, both inclusive."""
    agreement_id: str | None = None
    """The id of the agreement between the seller and the buyer."""
    quote: RateCardListItemQuote | None = None
    """The price offered to this buyer only."""
    published_at: datetime
    """The UTC time at which it was published."""


class RateCardListItemEffective(Model):
    start: str
    """The first date (YYYY-MM-DD), or the time of day at which it starts (HH:MM in its time zone)."""
    end: str
    """The last date (YYYY-MM-DD), or the time of day at which it ends (HH:MM in its time zone); an end before the start is after midnight."""


class RateCardListItemQuote(Model):
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    order_id: str
    """The platform's id of the order."""


class RateCardPublished(Model):
    event_type: Literal["catalog.rate_card_published"]
    """The type of the event."""
    event_id: str
    """The id of the event, the same on every delivery."""
    seller: str
    """The seller's tenant id."""
    occurred_at: datetime
    """The UTC time at which it happened, strictly increasing per order."""
    data: RateCardPublishedData
    """What happened, in the shape of the type."""


class RateCardPublishedData(Model):
    commit: str
    """The name of one version of the rate card. A name is never reused for other content."""
    effective: DateRange
    """The dates between which it is in force, both inclusive."""
    agreement_id: str | None = None
    """The id of the agreement between the seller and the buyer."""
    product_ids: list[str]
    """The ids of the products that the card prices and the recipient may see."""


class RateCardRead(Model):
    commit: str
    """The name of one version of the rate card. A name is never reused for other content."""
    effective: RateCardReadEffective
    """The dates between which it is in force, both inclusive."""
    agreement_id: str | None = None
    """The id of the agreement between the seller and the buyer."""
    quote: RateCardReadQuote | None = None
    """The order and the buyer that the commit was quoted for, if it is a quote."""
    published_at: datetime
    """The UTC time at which it was published."""
    entries: list[RateCardReadEntry]
    """The rate entries. Each one is checked, and accepted or refused, on its own."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class RateCardReadEffective(Model):
    start: str
    """The first date (YYYY-MM-DD), or the time of day at which it starts (HH:MM in its time zone)."""
    end: str
    """The last date (YYYY-MM-DD), or the time of day at which it ends (HH:MM in its time zone); an end before the start is after midnight."""


class RateCardReadEntry(Model):
    locked_rate_id: str
    """The id of a published price: one rate entry in one ISO week. An order line cites it unchanged."""
    spot_length: int
    """The length of a spot in seconds."""
    buy_type: Literal["preemptible", "non_preemptible", "audience_guaranteed", "fixed_position"] | str
    """The way in which the line is bought: preemptible, non_preemptible, audience_guaranteed or fixed_position."""
    market_class: Literal["scatter", "discounted"] | str
    """The market class: scatter or discounted."""
    advertiser_class: str
    """The class of advertiser that the price applies to."""
    clearance_tier: str | None = None
    """The clearance tier of the price."""
    rate_basis: Literal["per_unit", "cpm"] | str
    """per_unit or cpm, derived from the cost member that is present. A sent value is ignored."""
    gross_rate_unit: Money | None = None
    """The gross price of one unit, in major units of its currency. Exactly one of this and gross_rate_cpm."""
    gross_rate_cpm: Money | None = None
    """The gross price of a thousand impressions, in major units of its currency."""
    currency: str
    """The currency of the money, by its ISO 4217 code."""
    guaranteed_impressions: float | None = None
    """The number of impressions that one unit guarantees."""
    audience_code: str | None = None
    """The audience that impressions are counted in."""
    window: RateCardReadEntryWindow | None = None
    """The time in which the price can be ordered."""
    quote_expires_at: str | None = None
    """The UTC time at which the quote lapses. It cannot be accepted afterwards."""
    product_id: str
    """The id of a product in the seller's catalog."""
    week: str
    """An ISO week, YYYY-Www. A rate entry without a week covers every week of its commit."""


class RateCardReadEntryWindow(Model):
    opens: str | None = None
    """The UTC time at which the window opens; immediately if omitted."""
    closes: str
    """The UTC time at which the window closes."""


class RateCardReadQuote(Model):
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    order_id: str
    """The platform's id of the order."""


class RateCardReply(Model):
    commit: str
    """The name of one version of the rate card. A name is never reused for other content."""
    result: Literal["success", "partial", "none"] | str
    """success: every entry was accepted; partial: some were; none: nothing was published. The status is 200 in each case."""
    accepted: int
    """The number of entries accepted."""
    rejected: int
    """The number of entries refused."""
    errors: list[EntryError]
    """Every fault that was found."""
    warnings: list[EntryWarning]
    """What the sender should know. Nothing was refused because of it."""
    effect: PublishEffect | None = None
    """What the publish would change; on a dry run only."""
    basis: str | None = None
    """The state that the effect was computed from, on a dry run only: send it as If-Match with the publish."""


class RateCited(Model):
    market_class: Literal["scatter", "discounted"] | str
    """The market class: scatter or discounted."""
    advertiser_class: str
    """The class of advertiser that the price applies to."""
    buy_type: Literal["preemptible", "non_preemptible", "audience_guaranteed", "fixed_position"] | str
    """The way in which the line is bought: preemptible, non_preemptible, audience_guaranteed or fixed_position."""
    clearance_tier: str | None = None
    """The clearance tier of the price."""
    unit_cost: Money | None = None
    """The gross price of one unit, in major units of its currency. Exactly one of this and cpm."""
    cpm: Money | None = None
    """The gross price of a thousand impressions, in major units of its currency."""
    guaranteed_impressions: int | None = None
    """The number of impressions that one unit guarantees."""
    audience_code: str | None = None
    """The audience that impressions are counted in."""
    locked_rate_id: str
    """The id of a published price: one rate entry in one ISO week. An order line cites it unchanged."""
    currency: str
    """The currency of the money, by its ISO 4217 code."""
    quote_expires_at: datetime | None = None
    """The UTC time at which the quote lapses. It cannot be accepted afterwards."""
    rate_basis: Any | None = None
    """per_unit or cpm, derived from the cost member that is present. A sent value is ignored."""


class RateDrift(Model):
    unit_id: str
    """The id of a line of the order."""
    locked_rate_id: str
    """The id of a published price: one rate entry in one ISO week. An order line cites it unchanged."""
    cited: Money
    """The price that the line cites, in major units of its currency."""
    current: Money
    """The current price, in major units of its currency."""


class RateEntry(Model):
    product_id: str
    """The id of a product in the seller's catalog."""
    week: str | None = None
    """An ISO week, YYYY-Www. A rate entry without a week covers every week of its commit."""
    market_class: Literal["scatter", "discounted"] | str
    """The market class: scatter or discounted."""
    advertiser_class: str
    """The class of advertiser that the price applies to."""
    spot_length: int
    """The length of a spot in seconds."""
    buy_type: Literal["preemptible", "non_preemptible", "audience_guaranteed", "fixed_position"] | str
    """The way in which the line is bought: preemptible, non_preemptible, audience_guaranteed or fixed_position."""
    clearance_tier: str | None = None
    """The clearance tier of the price."""
    gross_rate_unit: Money | None = None
    """The gross price of one unit, in major units of its currency. Exactly one of this and gross_rate_cpm."""
    gross_rate_cpm: Money | None = None
    """The gross price of a thousand impressions, in major units of its currency."""
    rate_basis: Any | None = None
    """per_unit or cpm, derived from the cost member that is present. A sent value is ignored."""
    currency: str | None = None
    """The currency of the money, by its ISO 4217 code."""
    guaranteed_impressions: int | None = None
    """The number of impressions that one unit guarantees."""
    audience_code: str | None = None
    """The audience that impressions are counted in."""
    window: RateEntryWindow | None = None
    """The time in which the price can be ordered."""
    quote_expires_at: datetime | None = None
    """The UTC time at which the quote lapses. It cannot be accepted afterwards."""


class RateEntryWindow(Model):
    opens: datetime | None = None
    """The UTC time at which the window opens; immediately if omitted."""
    closes: datetime
    """The UTC time at which the window closes."""


class RateRead(Model):
    market_class: Literal["scatter", "discounted"] | str
    """The market class: scatter or discounted."""
    advertiser_class: str
    """The class of advertiser that the price applies to."""
    buy_type: Literal["preemptible", "non_preemptible", "audience_guaranteed", "fixed_position"] | str
    """The way in which the line is bought: preemptible, non_preemptible, audience_guaranteed or fixed_position."""
    clearance_tier: str | None = None
    """The clearance tier of the price."""
    unit_cost: Money | None = None
    """The gross price of one unit, in major units of its currency. Exactly one of this and cpm."""
    cpm: Money | None = None
    """The gross price of a thousand impressions, in major units of its currency."""
    guaranteed_impressions: int | None = None
    """The number of impressions that one unit guarantees."""
    audience_code: str | None = None
    """The audience that impressions are counted in."""
    locked_rate_id: str
    """The id of a published price: one rate entry in one ISO week. An order line cites it unchanged."""
    currency: str
    """The currency of the money, by its ISO 4217 code."""
    quote_expires_at: datetime | None = None
    """The UTC time at which the quote lapses. It cannot be accepted afterwards."""
    rate_basis: Literal["per_unit", "cpm"] | str
    """per_unit or cpm, derived from the cost member that is present. A sent value is ignored."""


class RatesRead(Model):
    rates: list[RatesReadRate]
    """The prices that an order line can cite."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class RatesReadRate(Model):
    locked_rate_id: str
    """The id of a published price: one rate entry in one ISO week. An order line cites it unchanged."""
    spot_length: int
    """The length of a spot in seconds."""
    buy_type: Literal["preemptible", "non_preemptible", "audience_guaranteed", "fixed_position"] | str
    """The way in which the line is bought: preemptible, non_preemptible, audience_guaranteed or fixed_position."""
    market_class: Literal["scatter", "discounted"] | str
    """The market class: scatter or discounted."""
    advertiser_class: str
    """The class of advertiser that the price applies to."""
    clearance_tier: str | None = None
    """The clearance tier of the price."""
    rate_basis: Literal["per_unit", "cpm"] | str
    """per_unit or cpm, derived from the cost member that is present. A sent value is ignored."""
    gross_rate_unit: Money | None = None
    """The gross price of one unit, in major units of its currency. Exactly one of this and gross_rate_cpm."""
    gross_rate_cpm: Money | None = None
    """The gross price of a thousand impressions, in major units of its currency."""
    currency: str
    """The currency of the money, by its ISO 4217 code."""
    guaranteed_impressions: float | None = None
    """The number of impressions that one unit guarantees."""
    audience_code: str | None = None
    """The audience that impressions are counted in."""
    window: RatesReadRateWindow | None = None
    """The time in which the price can be ordered."""
    quote_expires_at: str | None = None
    """The UTC time at which the quote lapses. It cannot be accepted afterwards."""
    product_id: str
    """The id of a product in the seller's catalog."""
    week: str
    """An ISO week, YYYY-Www. A rate entry without a week covers every week of its commit."""
    commit: str
    """The commit that the price is from."""
    agreement_id: str | None = None
    """The agreement that the price is scoped to; absent on the open card."""


class RatesReadRateWindow(Model):
    opens: str | None = None
    """The UTC time at which the window opens; immediately if omitted."""
    closes: str
    """The UTC time at which the window closes."""


class ReadLine(Model):
    product: ReadValue | None = None
    """A product to create for this buyer, in place of product_id."""
    network: ReadValue | None = None
    """The network or station that the product airs on."""
    period: ReadLinePeriod | None = None
    """The day, ISO week or month that it covers."""
    spot_length: ReadValue | None = None
    """The length of a spot in seconds."""
    units: ReadValue | None = None
    """The number of units."""
    impressions_goal: ReadValue | None = None
    """The number of impressions to reach, on proposal and document orders only."""
    unit_cost: ReadValue | None = None
    """The gross price of one unit, in major units of its currency. Exactly one of this and cpm."""
    cpm: ReadValue | None = None
    """The gross price of a thousand impressions, in major units of its currency."""
    buy_type: ReadValue | None = None
    """The way in which the line is bought: preemptible, non_preemptible, audience_guaranteed or fixed_position."""
    market_class: ReadValue | None = None
    """The market class: scatter or discounted."""
    advertiser_class: ReadValue | None = None
    """The class of advertiser that the price applies to."""
    clearance_tier: ReadValue | None = None
    """The clearance tier of the price."""
    row: ReadValue | None = None
    """Of an order for airtime: the number or the name of its row."""
    program: ReadValue | None = None
    """Of an order for airtime: the program, as its row says it."""
    days: ReadValue | None = None
    """Of an order for airtime: the weekdays on which it airs."""
    start: ReadValue | None = None
    """Of an order for airtime: the start of its window in the broadcast day, 06:00 to 30:00."""
    end: ReadValue | None = None
    """Of an order for airtime: the end of its window in the broadcast day, 06:00 to 30:00."""
    basis: ReadValue | None = None
    """Of an order for airtime: gross, net or unknown, what its price is."""
    kind: ReadValue | None = None
    """Of an order for airtime: paid or bonus."""


class ReadLinePeriod(Model):
    read: str
    """What the document says."""
    at: str
    """The time of the action; a UTC time."""
    value: Period | None = None
    """The value as it was understood."""


class ReadValue(Model):
    read: str
    """What the document says."""
    at: str
    """The time of the action; a UTC time."""


class ReceivedHold(Model):
    hold_id: str
    """The id of the hold that the line uses."""
    seller: str
    """The seller's tenant id."""
    status: Literal["held", "released", "expired", "used"] | str
    """The current status."""
    lines: list[HoldLine]
    """The lines: those of the order by unit_id, then fees."""
    created_at: datetime
    """The UTC time at which it was created."""
    expires_at: datetime
    """The UTC time at which it ends on its own."""
    order_id: str | None
    """The id of the order that used the hold; null until one has."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""


class ReceivedHoldList(Model):
    items: list[ReceivedHold]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class ReconciledOrder(Model):
    order_id: str
    """The platform's id of the order."""
    revision: int
    """The number of the result: it rises with each new result and each action on a variance. 0 before the first result."""
    state: Literal["not_reconciled", "reconciled", "too_large"] | str
    """not_reconciled; reconciled; or too_large, of an order with more spots or rows than are matched."""
    currency: str
    """The currency of the money, by its ISO 4217 code."""
    reconciled_at: datetime | None
    """When the result changed last; a UTC time. Null before the first result."""
    seller: str
    """The seller's tenant id."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    agreement_id: str | None = None
    """The agreement of the order."""
    codes: list[
        Literal[
            "ORDERED_NOT_RUN",
            "MISSED",
            "MAKEGOOD",
            "WRONG_DATE",
            "OUT_OF_DAYPART",
            "WRONG_LENGTH",
            "WRONG_COPY",
            "RATE_MISMATCH",
            "BILLED_NOT_RUN",
            "RUN_NOT_BILLED",
            "RUN_NOT_ORDERED",
            "DUPLICATE",
        ]
        | str
    ]
    """The codes of its variances."""
    broadcast_months: list[str]
    """The broadcast months of its lines."""
    totals: ReconciliationTotals
    """The sums over all lines of the order."""


class ReconciledOrders(Model):
    items: list[ReconciledOrder]
    """The orders whose result changed, in the order of their last changes."""
    next_cursor: str
    """The value of after for what changes next; never null."""


class ReconciledRow(Model):
    record_type: Literal["as_run", "invoice"] | str
    """as_run of a log, invoice of an invoice."""
    network: str
    """The network that the row names."""
    air_date: date_aliased
    """The date that the row names."""
    air_time: str | None = None
    """The time that the row names, in the time zone of the product."""
    clock: Literal["calendar", "broadcast"] | str
    """calendar, or broadcast: air_date is the broadcast date."""
    spot_length: int
    """The length of a spot in seconds."""
    isci: str | None = None
    """The copy that the row names."""
    unit_id: str | None = None
    """The line that the row names."""
    makegood_for_unit_id: str | None = None
    """The line whose missed spot this one makes good."""
    makegood_for_date: date_aliased | None = None
    """The date of the missed spot that this one makes good."""
    makegood_for: list[str] | None = None
    """The missed spots that this one makes good, by the seller's own references."""
    is_bonus: bool | None = None
    """Whether the spot is a bonus, at no price, as the seller says."""
    is_adu: bool | None = None
    """Whether the spot is an audience deficiency unit, at no price, as the seller says."""
    is_credit: bool | None = None
    """Whether the spot is a credit, as the seller says."""
    seller_line_id: str | None = None
    """The seller's own number of the line."""
    ran: bool
    """Whether the log says that the spot aired, or the invoice bills it."""
    reason: str | None = None
    """Why the spot did not air."""
    invoice_number: str | None = None
    """The number of the seller's invoice."""
    rate: Money | None = None
    """The gross that the row bills, in major units of the currency."""


class Reconciliation(Model):
    order_id: str
    """The platform's id of the order."""
    revision: int
    """The number of the result: it rises with each new result and each action on a variance. 0 before the first result."""
    state: Literal["not_reconciled", "reconciled", "too_large"] | str
    """not_reconciled; reconciled; or too_large, of an order with more spots or rows than are matched."""
    currency: str
    """The currency of the money, by its ISO 4217 code."""
    reconciled_at: datetime | None
    """When the result changed last; a UTC time. Null before the first result."""
    coverage: ReconciliationCoverage
    """What there is of the seller's logs and invoices."""
    totals: ReconciliationTotals
    """The sums over all lines of the order."""
    guarantees: list[AudienceGuarantee]
    """The audiences that lines guarantee, with what final posts say was delivered. Nothing settles on them."""
    lines: list[ReconciliationLine]
    """The lines by unit_id, network and date; those without a unit_id last."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class ReconciliationCoverage(Model):
    days_booked: int
    """The broadcast days on which the order books spots, counted by network, in days."""
    days_logged: int
    """Those of them of which there is a log, in days."""
    invoiced_months: list[str]
    """The broadcast months of which there is an invoice of the seller."""
    invoices: list[CoveredInvoice]
    """The seller's invoices that bill spots of the order."""
    invoices_left_out: int | None = None
    """The number of invoices that are not listed."""


class ReconciliationLine(Model):
    unit_id: str | None
    """The line of the order; null for spots that aired or are billed without one."""
    network: str
    """The network."""
    air_date: date_aliased
    """The date on which the spots are booked; of spots that no one ordered, their broadcast date."""
    broadcast_month: str
    """The broadcast month of the date."""
    ordered: int
    """The spots that are ordered."""
    aired_in_spec: int
    """The ordered spots that aired as ordered."""
    aired_out_of_spec: int
    """The ordered spots that aired, with a variance."""
    makegood: int
    """The ordered spots that a makegood made good."""
    missed: int
    """The ordered spots that did not air."""
    open: int
    """The ordered spots that nothing is known of yet."""
    unordered: int
    """The spots that aired and that no one ordered."""
    duplicate: int
    """The spots that aired again in the minute of another one."""
    billed: int
    """The spots that the seller's files bill."""
    ordered_gross: Money
    """The gross of the ordered spots, in major units of the currency."""
    billed_gross: Money
    """The gross that the seller's files bill, in major units of the currency."""
    variance_gross: Money
    """billed_gross minus ordered_gross, in major units of the currency."""
    made_good: int | None = None
    """The ordered units that agreed makegoods replace, aired or not. Left out if there are none."""
    makegood_airings: int | None = None
    """The airings of makegoods, if any is agreed: several may make good one unit. Left out if there are none."""
    codes: list[
        Literal[
            "ORDERED_NOT_RUN",
            "MISSED",
            "MAKEGOOD",
            "WRONG_DATE",
            "OUT_OF_DAYPART",
            "WRONG_LENGTH",
            "WRONG_COPY",
            "RATE_MISMATCH",
            "BILLED_NOT_RUN",
            "RUN_NOT_BILLED",
            "RUN_NOT_ORDERED",
            "DUPLICATE",
        ]
        | str
    ]
    """The codes of all variances of the line that the result has."""
    variances: list[Variance]
    """The differences between what was ordered, aired and billed."""
    variances_left_out: int | None = None
    """The number of variances of the line that are not listed."""


class ReconciliationMinutes(Model):
    window_minutes: int | None = None
    """How many minutes before the start and after the end of its window a spot still airs in it; 5 if omitted."""
    match_minutes: int | None = None
    """How many minutes a billed row may be from the airing that it bills; 10 if omitted."""


class ReconciliationTotals(Model):
    ordered: int
    """The spots that are ordered."""
    aired_in_spec: int
    """The ordered spots that aired as ordered."""
    aired_out_of_spec: int
    """The ordered spots that aired, with a variance."""
    makegood: int
    """The ordered spots that a makegood made good."""
    missed: int
    """The ordered spots that did not air."""
    open: int
    """The ordered spots that nothing is known of yet."""
    unordered: int
    """The spots that aired and that no one ordered."""
    duplicate: int
    """The spots that aired again in the minute of another one."""
    billed: int
    """The spots that the seller's files bill."""
    ordered_gross: Money
    """The gross of the ordered spots, in major units of the currency."""
    billed_gross: Money
    """The gross that the seller's files bill, in major units of the currency."""
    variance_gross: Money
    """billed_gross minus ordered_gross, in major units of the currency."""
    made_good: int | None = None
    """The ordered units that agreed makegoods replace, aired or not. Left out if there are none."""
    makegood_airings: int | None = None
    """The airings of makegoods, if any is agreed: several may make good one unit. Left out if there are none."""


class RedeliverRange(Model):
    from_: datetime = Field(..., validation_alias="from", serialization_alias="from")
    """The UTC time from which deliveries are sent again, inclusive."""
    to: datetime | None = None
    """The UTC time up to which deliveries are sent again, exclusive; now if omitted."""
    status: Literal["dropped", "delivered"] | str | None = None
    """The status of the deliveries to send again; dropped if omitted."""
    skip_delivered: bool | None = None
    """Whether to leave out events that another delivery to this endpoint has brought since; false if omitted."""


class RefusedRequest(Model):
    at: datetime
    """The UTC time of the reply."""
    request_id: str
    """The X-Request-Id of the reply."""
    operation: str
    """The operationId, such as createOrder."""
    method: str
    """The HTTP method."""
    path: str
    """The path, without its query."""
    status: int
    """The status of the reply."""
    error_code: str
    """The error_code of the reply."""
    pointers: list[str]
    """The JSON pointers of the first faults, at most 20. What was sent is not kept."""
    credential_id: str
    """The id of the credential that sent it."""


class RefusedRequestList(Model):
    items: list[RefusedRequest]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class ReplacedUnits(Model):
    unit_id: str
    """The line of the order."""
    date: date_aliased
    """The date on which the line books them."""
    units: int
    """How many units."""
    network: str
    """The network on which they are booked."""
    gross: Money
    """What they cost at the locked rate, in major units of the currency."""


class ResendEdi(Model):
    message_id: str | None = None
    """The mail whose document is sent again; by default that of the order's state."""


class Resolution(Model):
    line: int | None = None
    """The number of the line in the document, from 1."""
    question_id: str | None = None
    """A question of the document, in place of a line."""
    choice: str | None = None
    """The choice of the question that is the answer."""
    product_id: str | None = None
    """The id of a product in the seller's catalog."""
    period: Period | None = None
    """The day, ISO week or month that it covers."""
    units: int | None = None
    """The number of units."""
    locked_rate_id: str | None = None
    """The id of a published price: one rate entry in one ISO week. An order line cites it unchanged."""
    omit: Literal[True] | None = None
    """The line is not ordered. The seller sees it as left out, with the note."""
    note: str | None = None
    """A note to the seller."""


class RespondOrder(Model):
    action: Literal["accept", "withdraw", "counter"] | str
    """The action to take."""
    actor: str | None = None
    """The name of the person or system that acts, for display. It is recorded verbatim and is not an identity."""
    reason: str | None = None
    """The reason, in the words of the person or system that acted."""
    counter: Any | None = None
    """Published but not served: the action counter is refused."""
    as_of: datetime | None = None
    """The UTC time of the figures. On commands, in the sandbox only, the time that windows are measured against."""
    last_seq: int | None = None
    """The last_seq of the order as you read it. If the order has changed since, the reply is 409 INVALID_STATE."""


class RespondReply(Model):
    order_id: str
    """The platform's id of the order."""
    status: (
        Literal[
            "submitted",
            "validating",
            "needs_confirmation",
            "confirmed",
            "negotiating",
            "seller_review",
            "placed",
            "canceled",
            "rejected",
            "failed",
        ]
        | str
    )
    """The current status."""
    last_seq: int
    """The seq of the last event of the order."""
    units_accepted: int
    """The number of lines accepted."""
    units_rejected: int
    """The number of lines rejected."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class ReviseMakegood(Model):
    action: Literal["offer", "recall"] | str
    """offer: puts offers in place of earlier ones; recall: takes the makegood back."""
    offers: list[OfferMakegood] | None = None
    """The offered spots; they are alternatives."""
    expires_at: datetime | None = None
    """Until when the buyer may answer, a UTC time, at most the earliest air date that is offered; the end of that date if omitted."""
    version: int | None = None
    """The version that is revised; any if omitted. With another the reply is 409 INVALID_STATE."""
    note: str | None = None
    """Words for the other party."""
    actor: str | None = None
    """Who does it; the seller if omitted."""


class RotateSecret(Model):
    expire_previous: Literal["now", "in_24_hours"] | str | None = None
    """When the secrets until now stop to sign: in_24_hours if omitted. now ends every earlier one."""


class RotatorDefinition(Model):
    windows: list[RotatorWindow]
    """The days and hours over which the spots rotate."""
    selling_title: str | None = None
    """The title under which the daypart or rotator is sold."""
    timezone: str | None = None
    """An IANA time zone, such as America/Chicago."""


class RotatorNewProduct(Model):
    name: str | None = None
    """A name for display."""
    network: str
    """The network or station that the product airs on."""
    effective: DateRange | None = None
    """The dates between which it is in force, both inclusive."""
    currencies: list[str] | None = None
    """Audience codes that impressions are counted in, never money currencies. The list may be empty."""
    buy_types: list[Literal["preemptible", "non_preemptible", "audience_guaranteed", "fixed_position"] | str]
    """The ways in which the product can be bought."""
    grains: list[Literal["day", "week", "month"] | str] | None = None
    """The period lengths that the product is sold by."""
    visibility: Literal["open", "by_agreement"] | str | None = None
    """open: every buyer sees it. by_agreement: only buyers whose agreement unlocks it."""
    disclosure: Disclosure | None = None
    """The prices and avails of the product that are published."""
    posting_policy: str | None = None
    """The policy by which deliveries of the product are posted, in the seller's words."""
    reporting_dayparts: (
        list[
            Literal[
                "early_morning",
                "daytime",
                "primetime",
                "late_night",
                "overnight",
                "weekend",
            ]
            | str
        ]
        | None
    ) = None
    """Dayparts for reports. They are descriptive only."""
    external_ref: str | None = None
    """The seller's own reference, unique per seller. Buyers never see it."""
    billboard: dict[str, Any] | None = None
    """Information about billboards. Nothing is validated or priced by it."""
    spot_lengths: list[int] | None = None
    """The spot lengths that the product is sold in, in seconds."""
    advertiser_classes: list[str] | None = None
    """The advertiser classes that the product is priced for."""
    mirror_product_id: str | None = None
    """The id of the product in which every spot also airs if a line asks for it."""
    type: Literal["rotator"]
    """The kind of product, which decides the shape of definition."""
    definition: RotatorDefinition
    """The days and times at which the product airs, in the shape of its type."""


class RotatorProduct(Model):
    product_id: str
    """The id of a product in the seller's catalog."""
    status: Literal["available", "withdrawn"] | str | None = None
    """withdrawn: no buyer sees the product and no new order can book it. available if omitted."""
    name: str | None = None
    """A name for display."""
    network: str
    """The network or station that the product airs on."""
    effective: DateRange | None = None
    """The dates between which it is in force, both inclusive."""
    currencies: list[str] | None = None
    """Audience codes that impressions are counted in, never money currencies. The list may be empty."""
    buy_types: list[Literal["preemptible", "non_preemptible", "audience_guaranteed", "fixed_position"] | str]
    """The ways in which the product can be bought."""
    grains: list[Literal["day", "week", "month"] | str] | None = None
    """The period lengths that the product is sold by."""
    visibility: Literal["open", "by_agreement"] | str | None = None
    """open: every buyer sees it. by_agreement: only buyers whose agreement unlocks it."""
    disclosure: Disclosure | None = None
    """The prices and avails of the product that are published."""
    posting_policy: str | None = None
    """The policy by which deliveries of the product are posted, in the seller's words."""
    reporting_dayparts: (
        list[
            Literal[
                "early_morning",
                "daytime",
                "primetime",
                "late_night",
                "overnight",
                "weekend",
            ]
            | str
        ]
        | None
    ) = None
    """Dayparts for reports. They are descriptive only."""
    external_ref: str | None = None
    """The seller's own reference, unique per seller. Buyers never see it."""
    billboard: dict[str, Any] | None = None
    """Information about billboards. Nothing is validated or priced by it."""
    spot_lengths: list[int] | None = None
    """The spot lengths that the product is sold in, in seconds."""
    advertiser_classes: list[str] | None = None
    """The advertiser classes that the product is priced for."""
    mirror_product_id: str | None = None
    """The id of the product in which every spot also airs if a line asks for it."""
    type: Literal["rotator"]
    """The kind of product, which decides the shape of definition."""
    definition: RotatorDefinition
    """The days and times at which the product airs, in the shape of its type."""


class RotatorWindow(Model):
    days: list[Literal["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] | str]
    """Days of the week, Mon to Sun."""
    start: str
    """The first date (YYYY-MM-DD), or the time of day at which it starts (HH:MM in its time zone)."""
    end: str
    """The last date (YYYY-MM-DD), or the time of day at which it ends (HH:MM in its time zone); an end before the start is after midnight."""


class RowCounts(Model):
    rows_written: int
    """The number of rows that were accepted."""
    rows_rejected: int
    """The number of rows that were refused."""
    rows_unattached: int | None = None
    """The number of rows of logs that name no order, and whose copy is not that of one order of the seller."""
    rows_undecided: int | None = None
    """The number of rows of logs whose status does not say whether the spot aired. They change nothing."""


class RuleActivity(Model):
    approved: int
    """The number of orders that the rule approved."""
    rejected: int
    """The number of orders that the rule rejected."""
    held: int
    """The number of orders that the rule held for a person."""
    last_used_at: datetime | None
    """The UTC time of its last decision; null if it has made none."""


class RuleConditions(Model):
    max_gross: Money | None = None
    """Matches orders with at most this totals.gross, in major units of the order's currency."""
    min_lead_days: int | None = None
    """Matches orders whose first air date is at least this many days from today (UTC)."""
    advertisers: list[str] | None = None
    """Matches orders whose buyer_metadata.advertiser_id is one of these."""
    products: list[str] | None = None
    """Matches orders whose every line is of one of these products."""
    buyers: list[str] | None = None
    """Matches orders whose buyer_entity is one of these."""
    market_classes: list[Literal["scatter", "discounted"] | str] | None = None
    """Matches orders whose every line is of one of these market classes."""
    grains: list[Literal["day", "week", "month"] | str] | None = None
    """Matches orders whose every line is of one of these period lengths."""


class SandboxLine(Model):
    product_id: str
    """The id of a product in the seller's catalog."""
    period: Period
    """The day, ISO week or month that it covers."""
    units: int | None = None
    """The units to order; 1 if omitted."""


class SandboxMail(Model):
    mail_id: str
    """The id of a mail in the mailbox of the sandbox."""
    message_id: str
    """The id of the mail, which is also the local part of its Message-ID."""
    order_id: str
    """The platform's id of the order."""
    to: str | None
    """The address that the mail was sent to."""
    subject: str | None
    """Its subject."""
    received_at: datetime
    """The UTC time at which the mailbox accepted it."""


class SandboxMailList(Model):
    items: list[SandboxMail]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class SandboxOrder(Model):
    template: Literal["catalog", "proposal", "document"] | str | None = None
    """What the order has: lines, a request for a proposal, or a buysheet of the lines."""
    products: list[str] | None = None
    """Products to order, a line each, in the first week in which each has a price."""
    lines: list[SandboxLine] | None = None
    """The lines to order, at the price of their week. Without products and lines: the first product with a price."""
    then: Literal["accepts", "withdraws", "silent", "cancels", "revises"] | str | None = None
    """What the buyer does once the order waits for it, or for you."""


class SandboxOrderCreated(Model):
    order_id: str | None = None
    """The platform's id of the order."""
    external_order_id: str
    """Of the order, and of what was asked for."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    status: Literal["requested", "submitted", "refused"] | str
    """submitted once the buyer has ordered, with order_id and created_at; requested before that; refused if it could not order."""
    created_at: datetime | None = None
    """The UTC time at which it was created."""
    warnings: list[AnyOrderWarning] | None = None
    """What the sender should know. Nothing was refused because of it."""
    then: Literal["accepts", "withdraws", "silent", "cancels", "revises"] | str
    """What the buyer will do."""
    error: SandboxRefusal | None = None
    """The reason why the order failed."""


class SandboxRefusal(Model):
    """The refusal that the buyer met; present if it could not order."""

    error_code: str
    """The code of the error."""
    error_message: str
    """The error in one sentence for people."""
    details: dict[str, Any]
    """The members concerned, and what is allowed."""


class SearchReply(Model):
    orders: list[FoundOrder]
    """At most 10 of your orders, the best first, then the newest."""
    products: list[FoundProduct]
    """At most 10 products: a seller's own, or those that a buyer may see."""
    parties: list[FoundParty]
    """At most 10 of those that you trade with: sellers for a buyer, buyers for a seller."""
    complete: bool
    """False if older orders may have the words too: you have more than 2000, or the words are in many of them."""


class SecretName(Model):
    name: str
    """The name of the secret."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class SecretRotated(Model):
    endpoint_id: str
    """The id of a webhook endpoint."""
    secret: str
    """The secret that signs deliveries. It is shown once."""
    previous_secret_valid_until: datetime
    """The UTC time until which the previous secret also signs."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class SecurityEvent(Model):
    event_id: str
    """The id of the event, the same on every delivery."""
    occurred_at: datetime
    """The UTC time at which it happened, strictly increasing per order."""
    action: (
        Literal[
            "sign_in.refused",
            "token.issued",
            "token.revoked",
            "session.opened",
            "sftp_key.added",
            "sftp_key.revoked",
            "subject.admitted",
            "subject.revoked",
            "subject.restored",
            "capabilities.changed",
            "approval_rules.changed",
            "secret.set",
            "agreement.granted",
            "agreement.changed",
            "buyer.changed",
            "webhook_endpoint.registered",
            "webhook_endpoint.changed",
            "webhook_endpoint.enabled",
            "webhook_endpoint.secret_rotated",
            "webhook_endpoint.deleted",
            "webhook_endpoint.disabled",
            "webhook_endpoint.handed_over",
            "queue.changed",
            "queue.deleted",
            "queue.stopped",
            "queue.handed_over",
            "mapping.changed",
            "mapping.deleted",
            "document_layout.remembered",
            "order.woken",
            "delivery.resent",
        ]
        | str
    )
    """The action that was taken. Actions may be added."""
    via: Literal["api", "console", "sftp", "command_line", "platform"] | str
    """The way in which it was done. command_line and platform are acts of the operator."""
    credential_id: str | None
    """The id of the credential that acted or was refused."""
    last_four: str | None
    """The last four characters of that credential's token."""
    subject: str | None
    """The subject (sub) of the token, if it was one of an OpenID Connect issuer; credential_id is its id here."""
    source_ip: str | None
    """The IP address that the request came from."""
    person: str | None
    """The name of the person who acted in a session of a browser; null otherwise."""
    target: str | None
    """The id or name of what was changed."""
    before: dict[str, Any] | None
    """The changed members before the change. Long values and secrets are left out."""
    after: dict[str, Any] | None
    """The changed members after the change. Long values and secrets are left out."""
    times: int
    """The number of times it happened: refused sign-ins from one source within a minute are one entry."""


class SecurityEventList(Model):
    items: list[SecurityEvent]
    """The entries of the page."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class SeenProducts(Model):
    products: int
    """The products that the buyer sees."""
    priced: int
    """Those of them whose prices it sees, rather than asks for."""
    with_avails: int
    """Those of them whose avails it sees."""


class SellerList(Model):
    sellers: list[SellerListSeller]
    """The sellers that the buyer may order from."""
    next_cursor: str | None
    """The cursor of the next page; null at the end of a list, never null on the feed."""


class SellerListSeller(Model):
    seller: str
    """The seller's tenant id."""
    name: str
    """A name for display."""
    level: int
    """proven: the money of every line stands in a total that ties. partial: of some lines, or only units do. contradicted: a total does not tie."""
    workflows: list[Literal["catalog", "proposal", "document"] | str]
    """The workflows that the seller accepts."""
    grains: list[Literal["day", "week", "month"] | str]
    """The period lengths that the product is sold by."""
    realtime_availability: bool
    """Whether the platform asks the seller's API for availability at every order."""


class SellerProfile(Model):
    transports: SellerProfileTransports | None = None
    """The ways in which the platform reaches the seller."""
    modes: SellerProfileModes | None = None
    """The workflows that the seller accepts."""
    approval: Literal["console", "api", "rules", "pull"] | str | None = None
    """The gate that decides: console, api, rules or pull."""
    sla: SellerProfileSla | None = None
    """The time in which the seller decides, and the lead time that it needs."""
    rate_management: SellerProfileRateManagement | None = None
    """The way in which the seller manages its prices."""
    realtime_availability: bool | None = None
    """Whether the platform asks the seller's API for availability at every order."""
    negotiation: bool | None = None
    """Whether the seller makes counters."""
    holds: bool | None = None
    """Whether the seller keeps inventory on hold."""
    notices_from_logs: bool | None = None
    """Whether a spot that a log says is preempted, before its date or after it, begins a makegood by itself; no if omitted."""
    quote_ttl_minutes: int | None = None
    """The default lifetime of a counter, in minutes."""
    access: Literal["open", "allowlist"] | str | None = None
    """open: every buyer may order. allowlist: only buyers that the seller lists."""


class SellerProfileModes(Model):
    catalog: bool | None = None
    """Whether the seller accepts orders by lines."""
    proposal: bool | None = None
    """Whether the seller accepts requests for proposals."""
    document: bool | None = None
    """Whether the seller accepts orders by document."""


class SellerProfileRateManagement(Model):
    rates: Literal["frozen_quarterly", "live"] | str | None = None
    """How often prices change: frozen_quarterly or live."""


class SellerProfileSla(Model):
    max_decision_latency_minutes: int | None = None
    """The time in which the seller decides, in minutes."""
    min_lead_minutes: int | None = None
    """The minimum time between an order and its first air date, in minutes. Nearer air dates need a hold."""


class SellerProfileTransports(Model):
    pull: SellerProfileTransportsPull | None = None
    """The seller's own API, which the platform calls."""


class SellerProfileTransportsPull(Model):
    base_url: str
    """The base URL of the seller's API."""
    secret_ref: str
    """The name of the secret that signs calls, stored with PUT /me/secrets/{name}."""
    max_concurrent: int | None = None
    """The number of calls of one kind that the server accepts at a time; 16 if omitted."""


class SellerUpload(Model):
    upload_id: str
    """The id of an upload: one of the caller's, or a file of the order."""
    seller: str
    """The seller's tenant id."""
    filename: str
    """The name of the file. It is recorded and never interpreted."""
    format: Literal["pdf", "xlsx", "csv"] | str
    """pdf, xlsx or csv."""
    size_bytes: int
    """The size in bytes."""
    status: Literal["pending", "uploaded", "rejected", "expired"] | str
    """The current status."""
    sha256: str | None
    """The SHA-256 of the bytes, in hexadecimal; null until they have arrived."""
    expires_at: datetime
    """The UTC time at which it ends on its own."""
    created_at: datetime
    """The UTC time at which it was created."""
    upload_url: str
    """The path to PUT the bytes to."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class SettleVariance(Model):
    action: Literal["credit", "uphold"] | str
    """credit or uphold."""
    amount: Money | None = None
    """The amount of the credit, in major units of the currency: at most the gross of the variance less earlier credits, which is the default."""
    actor: str | None = None
    """The name of the person or system that acts, for display. It is recorded verbatim and is not an identity."""
    note: str | None = None
    """A note that both sides read."""


class SkipRule(Model):
    column: str
    """A heading of the file."""
    in_: list[str] = Field(..., validation_alias="in", serialization_alias="in")
    """Texts of cells: a row that has one of them in the column is left out. An empty text is an empty cell."""


class SpotUnits(Model):
    unit_id: str
    """The line of the order."""
    date: date_aliased
    """The date on which the line books them."""
    units: int
    """How many units."""


class StatedInvoice(Model):
    spot_count: int | None = None
    """The number of spots that the invoice states."""
    gross: Money | None = None
    """The gross that the invoice states, in major units of the currency."""
    commission: Money | None = None
    """The commission that the invoice states, in major units of the currency."""
    net: Money | None = None
    """The net that the invoice states, in major units of the currency."""


class StatementTotals(Model):
    gross: Money
    """The gross of all invoices less that of credit notes, in major units of the currency."""
    commission: Money
    """The agency's commission, in major units of the currency."""
    net: Money
    """The gross minus the commission, in major units of the currency."""
    currency: str
    """The currency of the money, by its ISO 4217 code."""


class TestDelivery(Model):
    delivery_id: str
    """The id of one delivery of one event to one endpoint."""
    event_type: (
        Literal[
            "order.status_changed",
            "catalog.rate_card_published",
            "catalog.window_opened",
            "catalog.avails_answered",
            "catalog.integrity_failed",
            "settlement.invoice_issued",
            "webhook.test",
        ]
        | str
    )
    """The type of the event."""
    event_id: str
    """The id of the event, the same on every delivery."""
    order_id: str | None = None
    """The platform's id of the order."""
    seq: int | None = None
    """The position of the event in the log of its order, from 1 without gaps."""
    status: Literal["pending", "delivered", "dropped"] | str
    """The current status."""
    dropped_reason: (
        Literal[
            "attempts_failed",
            "gone",
            "too_late",
            "endpoint_deleted",
            "endpoint_disabled",
            "event_missing",
        ]
        | str
        | None
    ) = None
    """The reason why it was dropped. attempts_failed: no attempt got a 2xx reply. gone: the receiver replied 410. too_late: 25.5 seconds had passed since its first attempt before the next could begin. endpoint_deleted, endpoint_disabled: it was still waiting. event_missing: the event is no longer in the log."""
    redelivery_of: str | None = None
    """The id of the delivery that this one sends again."""
    created_at: datetime
    """The UTC time at which it was created."""
    attempts: list[DeliveryAttempt]
    """The attempts, at most three."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class TestEndpoint(Model):
    event_type: (
        Literal[
            "order.status_changed",
            "catalog.rate_card_published",
            "catalog.window_opened",
            "catalog.avails_answered",
            "catalog.integrity_failed",
            "settlement.invoice_issued",
            "webhook.test",
        ]
        | str
        | None
    ) = None
    """The type of which a whole example is posted; webhook.test if omitted. Other types are for sandboxes only."""


class Totals(Model):
    gross: Money
    """The gross amount, in major units of the currency."""
    currency: str
    """The currency of the money, by its ISO 4217 code."""
    impressions: dict[str, float] | None = None
    """Guaranteed impressions by audience code, summed over the lines and frozen at create."""


class TrafficInstructions(Model):
    rotation: Literal["equal", "weighted"] | str
    """equal or weighted."""
    creative_splits: list[TrafficInstructionsCreativeSplit]
    """The creatives and their shares."""


class TrafficInstructionsCreativeSplit(Model):
    creative_id: str
    """The id of a creative in the buyer's registry."""
    pct: float | None = None
    """The share in percent, to two decimal places."""


class UnknownArtifact(Model):
    """A kind of Artifact that this version does not know, with everything that it has."""

    name: str
    """Its kind."""


class UnknownEdiWarning(Model):
    """A kind of AnyEdiWarning that this version does not know, with everything that it has."""

    pass


class UnknownEvent(Model):
    """A kind of Event that this version does not know, with everything that it has."""

    event_type: str
    """Its kind."""


class UnknownMember(Model):
    """A member that was sent and ignored because the contract does not have it."""

    code: Literal["UNKNOWN_MEMBER"] | str
    """The code of the warning."""
    pointer: str
    """The JSON pointer of the ignored member."""
    nearest: str | None = None
    """The known member that was probably meant."""


class UnknownNewProduct(Model):
    """A kind of NewProduct that this version does not know, with everything that it has."""

    type: str
    """Its kind."""


class UnknownOrderWarning(Model):
    """A kind of AnyOrderWarning that this version does not know, with everything that it has."""

    pass


class UnknownPeriod(Model):
    """A kind of Period that this version does not know, with everything that it has."""

    grain: str
    """Its kind."""


class UnknownProduct(Model):
    """A kind of Product that this version does not know, with everything that it has."""

    type: str
    """Its kind."""


class UnresolvedValue(Model):
    line: int
    """The number of the line in the document, from 1."""
    field: str
    """The member, as a dotted path."""
    read: str | None
    """What the document says."""
    at: str | None
    """The time of the action; a UTC time."""
    message: str
    """The fault in one sentence."""
    published: list[dict[str, Any]]
    """The products or prices that might be meant."""


class Upload(Model):
    upload_id: str
    """The id of an upload: one of the caller's, or a file of the order."""
    buyer_entity: str
    """The buyer's tenant id, derived from the credential."""
    filename: str
    """The name of the file. It is recorded and never interpreted."""
    format: Literal["pdf", "xlsx", "csv"] | str
    """pdf, xlsx or csv."""
    size_bytes: int
    """The size in bytes."""
    status: Literal["pending", "uploaded", "rejected", "expired"] | str
    """The current status."""
    sha256: str | None
    """The SHA-256 of the bytes, in hexadecimal; null until they have arrived."""
    expires_at: datetime
    """The UTC time at which the upload lapses unless an order refers to it."""
    created_at: datetime
    """The UTC time at which it was created."""
    upload_url: str
    """The path to PUT the bytes to."""
    warnings: list[UnknownMember] | None = None
    """What the sender should know. Nothing was refused because of it."""


class UploadContent(Model):
    upload_id: str
    """The id of an upload: one of the caller's, or a file of the order."""
    status: Literal["uploaded"] | str
    """The current status."""
    sha256: str
    """The SHA-256 of the bytes, in hexadecimal; null until they have arrived."""
    size_bytes: int
    """The size in bytes."""
    warnings: list[UploadWarning] | None = None
    """What the sender should know. Nothing was refused because of it."""


class UploadWarning(Model):
    code: Literal["FOREIGN_SEPARATOR"] | str
    """The code of the warning."""
    message: str
    """The fault in one sentence."""


class UsedApprovalRule(Model):
    id: str
    """The id of the rule."""
    when: RuleConditions
    """The conditions, all of which must hold. {} matches every order."""
    then: Literal["approve", "reject", "hold"] | str
    """The verdict of the rule: approve, reject, or hold for a person."""
    last_30_days: RuleActivity
    """What the rule did in the last 30 days."""


class Variance(Model):
    variance_id: str
    """The id of the variance. New data that leaves the variance where it is leaves the id."""
    code: (
        Literal[
            "ORDERED_NOT_RUN",
            "MISSED",
            "MAKEGOOD",
            "WRONG_DATE",
            "OUT_OF_DAYPART",
            "WRONG_LENGTH",
            "WRONG_COPY",
            "RATE_MISMATCH",
            "BILLED_NOT_RUN",
            "RUN_NOT_BILLED",
            "RUN_NOT_ORDERED",
            "DUPLICATE",
        ]
        | str
    )
    """How the spots differ from the order, such as OUT_OF_DAYPART."""
    state: Literal["open", "accepted", "disputed", "credited", "upheld", "gone"] | str
    """open, accepted, disputed, credited or upheld; gone if new data has ended the variance."""
    units: int
    """The spots that the variance is about."""
    gross: Money
    """The price of the spots; for RATE_MISMATCH what is billed beyond it; for spots that no one ordered what is billed. In major units of the currency."""
    reason: str | None = None
    """Why the spot did not air, as the seller says."""
    makegood_id: str | None = None
    """The agreed makegood of a missed spot, or that aired."""
    agreed: bool | None = None
    """Of MAKEGOOD: whether the parties agreed on the spot that aired."""
    rows: list[ReconciledRow]
    """The rows of logs and invoices in which the variance is found."""
    actions: list[VarianceStep]
    """What both sides did about the variance, oldest first."""


class VarianceStep(Model):
    action: Literal["accept", "dispute", "credit", "uphold"] | str
    """accept or dispute by the buyer, credit or uphold by the seller."""
    side: Literal["buyer", "seller"] | str
    """Who acted: buyer or seller."""
    actor: str
    """The name of the person who acted, or the tenant."""
    note: str | None = None
    """What the person wrote."""
    amount: Money | None = None
    """The amount of a credit, in major units of the currency."""
    invoice_id: str | None = None
    """The credit note of a credit. Absent if none was issued."""
    units: int
    """The spots of the variance at that time."""
    gross: Money
    """The gross of the variance at that time, in major units of the currency."""
    at: datetime
    """The time of the action; a UTC time."""


class WaitingOn(Model):
    party: Literal["buyer", "seller", "platform"] | str
    """The party that acts next: buyer, seller or platform."""
    since: datetime
    """The UTC time at which it began."""
    due_by: datetime | None = None
    """The UTC time by which it is due."""
    overdue: bool
    """Whether it is past due_by."""
    stuck_reason: str | None = None
    """The reason why calls to the seller's API do not succeed."""


class WebhookEndpoint(Model):
    endpoint_id: str
    """The id of a webhook endpoint."""
    url: str
    """The https URL that events are posted to."""
    events: (
        list[
            Literal[
                "order.status_changed",
                "catalog.rate_card_published",
                "catalog.window_opened",
                "catalog.avails_answered",
                "catalog.integrity_failed",
                "settlement.invoice_issued",
            ]
            | str
        ]
        | None
    )
    """The event types; all types if omitted."""
    statuses: (
        list[
            Literal[
                "submitted",
                "validating",
                "needs_confirmation",
                "confirmed",
                "negotiating",
                "seller_review",
                "placed",
                "canceled",
                "rejected",
                "failed",
            ]
            | str
        ]
        | None
    )
    """The order statuses to which order.status_changed is restricted; all statuses if omitted."""
    status: Literal["active", "disabled"] | str
    """The current status."""
    disabled_reason: Literal["gone", "failing_for_five_days", "credential_revoked", "credential_expired"] | str | None = None
    """gone: the receiver replied 410. failing_for_five_days: every attempt failed for five days. credential_revoked, credential_expired: the credential that authorized it is no longer valid; enable it with another one."""
    credential_id: str | None
    """The id of the credential that authorizes the events; null if it is no longer valid."""
    readable_events: list[
        Literal[
            "order.status_changed",
            "catalog.rate_card_published",
            "catalog.window_opened",
            "catalog.avails_answered",
            "catalog.integrity_failed",
            "settlement.invoice_issued",
        ]
        | str
    ]
    """The event types that this credential may read. Other types are never sent."""
    failing_since: datetime | None = None
    """The UTC time since which every attempt has failed."""
    unreadable_secrets: list[Literal["current", "previous"] | str] | None = None
    """Signing secrets that the platform can no longer decrypt. The others still sign; if none is left, deliveries wait for rotate-secret."""
    created_at: datetime
    """The UTC time at which it was created."""


class WebhookTest(Model):
    event_type: Literal["webhook.test"] | str
    """The type of the event."""
    event_id: str
    """The id of the event, the same on every delivery."""
    occurred_at: datetime
    """The UTC time at which it happened, strictly increasing per order."""
    data: WebhookTestData
    """What happened, in the shape of the type."""


class WebhookTestData(Model):
    endpoint_id: str
    """The id of a webhook endpoint."""


class WeekPeriod(Model):
    grain: Literal["week"]
    """The length of the period: day, week or month."""
    start: str
    """The ISO week, YYYY-Www."""


class WindowOpened(Model):
    event_type: Literal["catalog.window_opened"]
    """The type of the event."""
    event_id: str
    """The id of the event, the same on every delivery."""
    seller: str
    """The seller's tenant id."""
    occurred_at: datetime
    """The UTC time at which it happened, strictly increasing per order."""
    data: WindowOpenedData
    """What happened, in the shape of the type."""


class WindowOpenedData(Model):
    product_id: str
    """The id of a product in the seller's catalog."""
    week: str
    """An ISO week, YYYY-Www. A rate entry without a week covers every week of its commit."""
    market_class: Literal["scatter", "discounted"] | str
    """The market class: scatter or discounted."""
    locked_rate_ids: list[str]
    """The ids of the prices that this window applies to."""
    opens: datetime
    """The UTC time at which the window opens; immediately if omitted."""
    closes: datetime
    """The UTC time at which the window closes."""


class WokenOrder(Model):
    order_id: str
    """The platform's id of the order."""
    status: (
        Literal[
            "submitted",
            "validating",
            "needs_confirmation",
            "confirmed",
            "negotiating",
            "seller_review",
            "placed",
            "canceled",
            "rejected",
            "failed",
        ]
        | str
    )
    """The current status."""
    queued: bool
    """Whether this call has asked for the look; false if one was waiting already."""


Product = Annotated[
    Annotated[DaypartProduct, Tag("daypart")]
    | Annotated[RotatorProduct, Tag("rotator")]
    | Annotated[ProgramProduct, Tag("program")]
    | Annotated[UnknownProduct, Tag("unknown")],
    Discriminator(known_or_unknown("type", ["daypart", "program", "rotator"])),
]

Period = Annotated[
    Annotated[DayPeriod, Tag("day")]
    | Annotated[WeekPeriod, Tag("week")]
    | Annotated[MonthPeriod, Tag("month")]
    | Annotated[UnknownPeriod, Tag("unknown")],
    Discriminator(known_or_unknown("grain", ["day", "month", "week"])),
]

NewProduct = Annotated[
    Annotated[DaypartNewProduct, Tag("daypart")]
    | Annotated[RotatorNewProduct, Tag("rotator")]
    | Annotated[ProgramNewProduct, Tag("program")]
    | Annotated[UnknownNewProduct, Tag("unknown")],
    Discriminator(known_or_unknown("type", ["daypart", "program", "rotator"])),
]

AnyOrderWarning = Annotated[OrderWarning | UnknownMember | UnknownOrderWarning, Field(union_mode="left_to_right")]

AnyEdiWarning = Annotated[EdiWarning | UnknownMember | UnknownEdiWarning, Field(union_mode="left_to_right")]

Event = Annotated[
    Annotated[OrderEvent, Tag("order.status_changed")]
    | Annotated[RateCardPublished, Tag("catalog.rate_card_published")]
    | Annotated[WindowOpened, Tag("catalog.window_opened")]
    | Annotated[AvailsAnswered, Tag("catalog.avails_answered")]
    | Annotated[IntegrityFailed, Tag("catalog.integrity_failed")]
    | Annotated[InvoiceIssued, Tag("settlement.invoice_issued")]
    | Annotated[UnknownEvent, Tag("unknown")],
    Discriminator(
        known_or_unknown(
            "event_type",
            [
                "catalog.avails_answered",
                "catalog.integrity_failed",
                "catalog.rate_card_published",
                "catalog.window_opened",
                "order.status_changed",
                "settlement.invoice_issued",
            ],
        )
    ),
]

Artifact = Annotated[
    Annotated[PlacementReceipt, Tag("placement_receipt")]
    | Annotated[PlanProposal, Tag("plan_proposal")]
    | Annotated[DocumentParse, Tag("document_parse")]
    | Annotated[UnknownArtifact, Tag("unknown")],
    Discriminator(known_or_unknown("name", ["document_parse", "placement_receipt", "plan_proposal"])),
]
