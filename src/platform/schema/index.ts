export { describeProblem, findProblems, type Problem } from './find-problems.ts'
export type { JsonSchema, JsonType } from './json-schema.ts'
