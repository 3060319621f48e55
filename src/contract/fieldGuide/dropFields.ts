/** File drops. */
export const DROP_FIELDS: Readonly<Record<string, string>> = {
  schema_version: 'The version of the manifest.',
  drop_id: "The seller's own name for the drop, which is also the folder of its files.",
  'Manifest.effective': 'The dates of rate card commits that state none, both inclusive.',
  reprocess:
    'true: ingests the files again where an earlier drop had the same ones. By default its result is replayed. Sent again while its run is open, the request is that run.',
  'ManifestFile.filename': 'The name of the file in the drop.',
  'ManifestFile.type':
    'What the file publishes. Files are staged in the order catalog, rate_cards, avails, delivery_posts, whatever their order here.',
  'ManifestFile.format': 'The format of the file; by default its extension decides.',
  'ManifestFile.sha256': 'The SHA-256 of the file, in hexadecimal.',
  'DropFile.filename': 'The name of the file in the drop.',
  'DropFile.sha256': 'The SHA-256 of the bytes that were stored, in hexadecimal.',
  results_uri: 'The path, /v1 included, at which the result is read.',
  'DropReceipt.status': 'processing, or the status of the original whose result is replayed.',
  'DropSummary.status': 'processing; success: no errors; partial: some rows were refused; rejected: nothing was written.',
  'DropResult.status': 'processing; success: no errors; partial: some rows were refused; rejected: nothing was written.',
  'DropSummary.stage':
    'What the run works on: fetch, publish (catalog and rate cards), avails, posts, finish; ended when it has ended. manifest: a manifest.json has ' +
    'landed and is not registered yet.',
  'DropResult.stage':
    'What the run works on: fetch, publish (catalog and rate cards), avails, posts, finish; ended when it has ended. manifest: a manifest.json has ' +
    'landed and is not registered yet.',
  rows_written: 'The number of rows that were accepted.',
  rows_rejected: 'The number of rows that were refused.',
  rows_unattached: 'The number of rows of logs that name no order, and whose copy is not that of one order of the seller.',
  rows_undecided: 'The number of rows of logs whose status does not say whether the spot aired. They change nothing.',
  waiting:
    'On the first page: up to 100 drops whose manifest.json has landed and is not registered yet, the newest first. None where status asks for ended ones.',
  registered_at: 'The UTC time at which the manifest was registered; in stage manifest that at which it was first seen.',
  ended_at: 'The UTC time at which the run ended; null until then.',
  'DropSummary.reason': 'Why the run does not go on, while it does not. Of a manifest.json: waiting_for_files, hashing_files, daily_limit.',
  'DropResult.reason': 'Why the run does not go on, while it does not. Of a manifest.json: waiting_for_files, hashing_files, daily_limit.',
  replay_of: 'The drop_id of the earlier drop with the same files, whose result this is; absent where it has a run of its own.',
  counts: 'The rows of each type so far. A type without files is absent.',
  'DropResult.errors':
    'The refused rows, in the order in which they were found; empty until the run has ended. In stage manifest: what the manifest.json waits for.',
  file: 'The name of the file.',
  row: 'The row: of csv and xlsx the header is 1, of parquet and json the first entry is 1. 0 is the whole file.',
  'ManifestFile.mapping':
    'The name of a mapping by which the file is read. By default it is read by the one mapping whose headers are those of the file, else by our columns.',
  'DropResult.mappings': 'The files that were read by a mapping, with its name and its version at the registration. Absent where none was.',
  'MappedFile.file': 'The name of the file.',
  'MappedFile.mapping': 'The name of the mapping.',
  'MappedFile.version': 'The version of the mapping by which the file was read.',
  makegood_for: "The missed spots that this one makes good, by the seller's own references.",
  is_bonus: 'Whether the spot is a bonus, at no price, as the seller says.',
  is_adu: 'Whether the spot is an audience deficiency unit, at no price, as the seller says.',
  is_credit: 'Whether the spot is a credit, as the seller says.',
  seller_line_id: "The seller's own number of the line.",
  'Mapping.name': 'The name of the mapping, of your choice.',
  'Mapping.version': 'Identifies the content: it differs whenever a member does. It is the ETag, too.',
  'Mapping.updated_at': 'The UTC time at which the mapping got this content.',
}
