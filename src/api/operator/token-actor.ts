/** Who the audit log says it was, where the operator's token is all that is known. */
export const TOKEN_ACTOR = 'operator'
