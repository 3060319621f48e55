import type { ByteStream } from '../../../src/contract/endpoints/endpoint.ts'
import type { CreateUpload, SellerUpload, Upload } from '../../../src/contract/upload.ts'
import type { Handler } from '../../http/handler.ts'
import { ok } from '../../http/reply.ts'
import { ownUpload, postUpload, putUploadContent } from '../buyer/uploads.ts'

/** The uploads of sellers, which are the notices of makegoods as files. They are announced, sent and bounded as those of buyers. */

/** POST /me/uploads */
export const postSellerUpload: Handler<CreateUpload> = async (deps, call) => {
  const { status, body } = await postUpload(deps, call)
  return { status, body: ofSeller(body as Upload) }
}

/** GET /me/uploads/{upload_id} */
export const getSellerUpload: Handler = async (deps, { caller, params }) => ok(ofSeller(await ownUpload(deps, caller, params)))

/** PUT /me/uploads/{upload_id}/content */
export const putSellerUploadContent: Handler<ByteStream> = putUploadContent

function ofSeller({ upload_id, buyer_entity: seller, ...upload }: Upload): SellerUpload {
  return { upload_id, seller, ...upload, upload_url: `/v1/me/uploads/${upload_id}/content` }
}
