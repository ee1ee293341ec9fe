import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { operate } from '../support/call.ts'
import { testOnEachEngine as test } from '../support/each-engine.ts'
import { serveFor, startService, type Service } from '../support/service.ts'
import { give, openReader, serveOn, spend, subjectsTo } from './alerts-world.ts'

test('under parallel charges and looks of two replicas each crossing is told once', async (t, engine) => {
  const { service, options } = await serveOn(t, engine)
  // An embedded store has one owner: there the looks alone meet.
  const replicas =
    engine === 'postgres'
      ? [service, await serveFor(t, { ...options, clock: service.clock })]
      : [service, service]
  const any = (): Service => replicas[randomInt(2)] as Service
  const ceiling = { depositEur: '10', daily_ceiling_eur: '1000' }
  const readers = await Promise.all(Array.from({ length: 8 }, () => openReader(service, ceiling)))
  const look = () => Promise.all(replicas.map(({ app }) => app.alerts.look()))
  for (let round = 1; round <= 4; round += 1) {
    await Promise.all(
      readers.flatMap(({ accountId }) =>
        Array.from({ length: 20 }, async (_, turn) => {
          await spend(any(), accountId, 0.5)
          // In every other round both look for the first time at the same moment.
          if (round % 2 === 0 && turn % 5 === 0) await any().app.alerts.look()
        }),
      ),
    )
    await look()
    const mails = new Set(replicas.map(({ mailer }) => mailer)).values().toArray()
    for (const { email } of readers) {
      const told = mails.flatMap((mailer) => mailer.mails).filter(({ to }) => to === email)
      assert.equal(told.length, round, email)
    }
    await Promise.all(readers.map(({ accountId }) => give(service, accountId, '10.00')))
  }
})

test('a start does not tell what was told before it', async (t, engine) => {
  const { service: first, options } = await serveOn(t, engine)
  const { accountId, email } = await openReader(first, { depositEur: '10' })
  await spend(first, accountId, 9.5)
  assert.equal((await subjectsTo(first, email)).length, 1)
  if (engine === 'sqlite') return restartEmbedded()
  const second = await serveFor(t, options)
  await spend(second, accountId, 0.1)
  assert.deepEqual(await subjectsTo(second, email), [])

  async function restartEmbedded(): Promise<void> {
    await first.app.close(1_000)
    await first.store.close()
    const again = await startService({ embedded: true, dataDir: first.dataDir })
    t.after(() => again.close())
    await spend(again, accountId, 0.1)
    assert.deepEqual(await subjectsTo(again, email), [])
  }
})

test('what the mailer cannot take, or gives up, is told when it can', async (t, engine) => {
  const { service } = await serveOn(t, engine)
  const { mailer, app } = service
  const { accountId, email } = await openReader(service, { depositEur: '10' })
  mailer.available = false
  await spend(service, accountId, 9.5)
  assert.deepEqual(await subjectsTo(service, email), [])
  await app.alerts.look()
  const waits = service.logged.filter((line) => line.includes('alerts wait: no mail'))
  assert.equal(waits.length, 1)
  mailer.available = true
  assert.equal((await subjectsTo(service, email)).length, 1)
  mailer.giveUpLast()
  await app.alerts.idle()
  assert.equal((await subjectsTo(service, email)).length, 1)
  assert.equal((await subjectsTo(service, email)).length, 1)
})

test('a service that stops tells first what it has noted', async (t, engine) => {
  const { service } = await serveOn(t, engine)
  const { accountId } = await openReader(service, { depositEur: '10' })
  await spend(service, accountId, 9.5)
  await service.app.close(1_000)
  assert.equal(service.mailer.mails.length, 1)
})

test("the settings are an account's own, and changing them is audited", async (t, engine) => {
  const { service } = await serveOn(t, engine)
  const { accountId } = await openReader(service)
  const path = `/accounts/${accountId}/alerts`
  const defaults = { low_balance_eur: '2.00', ceiling: true }
  assert.deepEqual((await operate(service, 'GET', path)).json, defaults)
  for (const settings of [
    { low_balance_eur: '5.50', ceiling: false },
    { low_balance_eur: null, ceiling: true },
    { low_balance_eur: '0.00', ceiling: false },
  ]) {
    const { status, json } = await operate(service, 'PUT', path, settings)
    assert.deepEqual([status, json], [200, settings])
    assert.deepEqual((await operate(service, 'GET', path)).json, settings)
    const [entry] = (await operate(service, 'GET', '/audit')).json.data
    assert.deepEqual([entry.action, entry.details], ['alerts.changed', settings])
  }
  for (const wrong of [
    {},
    { low_balance_eur: '5.00' },
    { low_balance_eur: '-1', ceiling: true },
    { low_balance_eur: '9000000.01', ceiling: true },
    { low_balance_eur: '5.00', ceiling: 'yes' },
  ]) {
    assert.equal((await operate(service, 'PUT', path, wrong)).status, 400)
  }
  assert.equal((await operate(service, 'GET', '/accounts/acc_x/alerts')).status, 404)
  assert.equal((await operate(service, 'PUT', '/accounts/acc_x/alerts', defaults)).status, 404)
})
