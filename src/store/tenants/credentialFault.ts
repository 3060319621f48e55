/** Thrown for a request to the issuer that cannot be granted; the message is one sentence for a person. */
export class CredentialFault extends Error {}
