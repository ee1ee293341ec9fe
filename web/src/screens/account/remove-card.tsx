import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { accountWords } from './words.ts'

export function RemoveCard() {
  const words = useWords(accountWords)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Card title={words.remove}>
      <p className="mb-4 max-w-prose text-soft">{words.removeText}</p>
      <Button kind="danger" onClick={() => setIsOpen(true)}>
        {words.remove}
      </Button>
      {isOpen && <RemoveDialog onClose={() => setIsOpen(false)} />}
    </Card>
  )
}
