import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { DataDialog } from './data-dialog.tsx'
import { DoneNotice } from './done-notice.tsx'
import { accountWords } from './words.ts'

/** All that is kept of a person, for them to take along. */
export function DataCard() {
  const words = useWords(accountWords)
  const [isOpen, setIsOpen] = useState(false)
  const [done, setDone] = useState<string>()
  return (
    <Card title={words.data}>
      <p className="mb-4 max-w-prose text-soft">{words.dataText}</p>
      <DoneNotice text={done} />
      <Button
        kind="second"
        onClick={() => {
          setDone(undefined)
          setIsOpen(true)
        }}
      >
        {words.dataDownload}
      </Button>
      {isOpen && (
        <DataDialog
          onDone={() => {
            setIsOpen(false)
            setDone(words.dataDone)
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Card>
  )
}
