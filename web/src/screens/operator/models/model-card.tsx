import { writeCount } from '../../../format/figures.ts'
import { Button } from '../../../parts/button.tsx'
import { Facts } from '../../../parts/facts.tsx'
import { Card } from '../../../parts/page.tsx'
import { EmptyState } from '../../../parts/states.tsx'
import { useSpeech, useWords } from '../../../words/language.tsx'
import type { ModelState } from '../model-queries.ts'
import { Tag } from '../tag.tsx'
import { UpstreamTable } from './upstream-table.tsx'
import { modelsWords } from './words.ts'

export function ModelCard({
  model,
  onSwitch,
}: {
  readonly model: ModelState
  readonly onSwitch: () => void
}) {
  const words = useWords(modelsWords)
  const { locale } = useSpeech()
  const { brand, id, enabled, upstreams } = model
  const tokens = (count: number) => words.tokens(writeCount(count, locale))
  return (
    <Card
      title={id}
      aside={
        <div className="flex flex-wrap items-center gap-3">
          <Tag kind={enabled ? 'good' : 'warn'}>{enabled ? words.enabled : words.disabled}</Tag>
          <Button kind={enabled ? 'danger' : 'second'} onClick={onSwitch}>
            {enabled ? words.disable : words.enable}
            <span className="sr-only"> {brand}</span>
          </Button>
        </div>
      }
    >
      <div className="flex min-w-0 flex-col gap-4">
        <Facts
          facts={[
            [words.contextWindow, tokens(model.context_window)],
            [words.maxOutput, tokens(model.max_output_tokens)],
          ]}
        />
        {upstreams.length > 0 ? (
          <UpstreamTable brand={brand} upstreams={upstreams} />
        ) : (
          <EmptyState title={words.noUpstreams}>
            <p>{words.noUpstreamsText}</p>
          </EmptyState>
        )}
      </div>
    </Card>
  )
}
