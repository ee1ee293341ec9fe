/** Why nothing was moved, and what to do: for a person, without a stack. */
export class MoveRefused extends Error {}
