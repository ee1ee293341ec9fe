import { writeCount } from '../../format/figures.ts'
import { TextArea, TextField } from '../../parts/field.tsx'
import { Card } from '../../parts/page.tsx'
import { useSpeech, useWords } from '../../words/language.tsx'
import type { ConsoleModel } from './conversation.ts'
import { CostBound } from './cost-bound.tsx'
import { settingsWords } from './settings-words.ts'
import { ToolsField } from './tools-field.tsx'
import type { Settings, SettingsProblems } from './write-body.ts'

interface Shown {
  readonly models: readonly ConsoleModel[]
  readonly settings: Settings
  readonly problems: SettingsProblems
  readonly onSettings: (settings: Settings) => void
}

/** What a request says besides its model and its messages. */
export function SettingsCard(shown: Shown) {
  const words = useWords(settingsWords)
  const { models, settings, problems, onSettings } = shown
  const model = models.find(({ brand }) => brand === settings.brand)
  return (
    <Card title={words.title}>
      <div className="flex flex-col gap-5">
        <TextArea
          label={words.system}
          hint={words.systemHint}
          rows={3}
          value={settings.system}
          onChange={(event) => onSettings({ ...settings, system: event.target.value })}
        />
        <NumberFields {...shown} />
        {model && (
          <ToolsField
            model={model}
            tools={settings.tools}
            problem={problems.tools}
            onTools={(tools) => onSettings({ ...settings, tools })}
          />
        )}
        {model && !problems.maxTokens && <CostBound model={model} settings={settings} />}
      </div>
    </Card>
  )
}

function NumberFields({ models, settings, problems, onSettings }: Shown) {
  const words = useWords(settingsWords)
  const { locale } = useSpeech()
  const most = models.find(({ brand }) => brand === settings.brand)?.max_output_tokens ?? 0
  return (
    <>
      <TextField
        label={words.temperature}
        hint={words.temperatureHint}
        problem={problems.temperature && words.temperatureProblem}
        inputMode="decimal"
        autoComplete="off"
        value={settings.temperature}
        onChange={(event) => onSettings({ ...settings, temperature: event.target.value })}
      />
      <TextField
        label={words.maxTokens}
        hint={words.maxTokensHint(writeCount(most, locale))}
        problem={problems.maxTokens && words.maxTokensProblem}
        inputMode="numeric"
        autoComplete="off"
        value={settings.maxTokens}
        onChange={(event) => onSettings({ ...settings, maxTokens: event.target.value })}
      />
    </>
  )
}
