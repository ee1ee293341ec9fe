import { call } from '../../../api/client.ts'
import { useWords } from '../../../words/language.tsx'
import { DeedDialog } from '../deed-dialog.tsx'
import type { ModelState } from '../model-queries.ts'
import { modelsWords } from './words.ts'

export function SwitchDialog({
  model: { brand, enabled },
  onDone,
  onClose,
}: {
  readonly model: ModelState
  readonly onDone: (sentence: string) => void
  readonly onClose: () => void
}) {
  const words = useWords(modelsWords)
  return (
    <DeedDialog
      title={enabled ? words.disableTitle(brand) : words.enableTitle(brand)}
      act={enabled ? words.disable : words.enable}
      kind={enabled ? 'danger' : 'primary'}
      run={() =>
        call('patch /operator/v1/models/{brand}', {
          params: { brand },
          body: { enabled: !enabled },
        })
      }
      onDone={() => onDone(enabled ? words.switchedOff(brand) : words.switchedOn(brand))}
      onClose={onClose}
    >
      <p>{enabled ? words.disableText : words.enableText}</p>
    </DeedDialog>
  )
}
