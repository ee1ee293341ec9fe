import { writeEnvLine } from '../api/write-call.ts'
import { useWords } from '../words/language.tsx'
import { CodeBlock } from './code-block.tsx'
import { keyWords } from './key-words.ts'
import { Notice } from './notice.tsx'

/** A key that was just made: nobody can show it again. */
export function ShownKey({ apiKey }: { readonly apiKey: string }) {
  const words = useWords(keyWords)
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Notice kind="warn">{words.shownOnce}</Notice>
      <div className="flex min-w-0 flex-col gap-1">
        <p className="font-medium">{words.theKey}</p>
        <CodeBlock code={apiKey} label={words.theKey} copyLabel={words.copyKey} />
      </div>
      <div className="flex min-w-0 flex-col gap-1">
        <p className="font-medium">{words.envFile}</p>
        <CodeBlock code={writeEnvLine(apiKey)} label={words.envFile} copyLabel={words.copyLine} />
      </div>
    </div>
  )
}
