import { Button } from '../../parts/button.tsx'
import { TextArea } from '../../parts/field.tsx'
import { useWords } from '../../words/language.tsx'
import type { ConsoleModel } from './conversation.ts'
import { EXAMPLE_TOOLS, type ToolsProblem } from './read-tools.ts'
import { settingsWords } from './settings-words.ts'

export function ToolsField({
  model,
  tools,
  problem,
  onTools,
}: {
  readonly model: ConsoleModel
  readonly tools: string
  readonly problem: ToolsProblem | undefined
  readonly onTools: (tools: string) => void
}) {
  const words = useWords(settingsWords)
  if (!model.tools) return <p className="text-sm text-soft">{words.noTools(model.brand)}</p>
  return (
    <div className="flex flex-col items-start gap-2">
      <div className="w-full font-mono text-sm [&_label]:font-sans [&_label]:text-base [&_p]:font-sans">
        <TextArea
          label={words.tools}
          hint={words.toolsHint}
          problem={problem && words.toolsProblems[problem]}
          rows={tools === '' ? 2 : 8}
          spellCheck={false}
          value={tools}
          onChange={(event) => onTools(event.target.value)}
        />
      </div>
      {tools === '' && (
        <Button kind="quiet" className="px-0!" onClick={() => onTools(EXAMPLE_TOOLS)}>
          {words.insertExample}
        </Button>
      )}
    </div>
  )
}
