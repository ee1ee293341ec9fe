import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeTransfers, type LedgerTransfer } from './write-transfers.ts'

const transfer: LedgerTransfer = {
  date: '2026-11-21',
  at: 1_795_219_200_000,
  kind: 'deposit',
  debit: 'book:bank',
  credit: 'acc_1',
  account_id: 'acc_1',
  amount_eur: '9000000.123456789',
  reference: 'invoice-1815',
}

test('transfers are written as they are, each amount to its last decimal', () => {
  assert.equal(
    writeTransfers([transfer]),
    'date,kind,debit,credit,account,amount_eur,reference\r\n' +
      '2026-11-21,deposit,book:bank,acc_1,acc_1,9000000.123456789,invoice-1815\r\n',
  )
})

test('what somebody chose as a reference is neither a column nor a formula', () => {
  const hostile = { ...transfer, account_id: null, reference: '=A1,"x"\r\ny' }
  assert.ok(writeTransfers([hostile]).endsWith(`,,9000000.123456789,"'=A1,""x""\r\ny"\r\n`))
  assert.ok(writeTransfers([{ ...transfer, amount_eur: '-5.00' }]).includes(',-5.00,invoice'))
})
