import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertOfPortugal } from '../../../test/support/identity/assert-of-portugal.ts'
import { LINK_PATHS, type MailKind } from './mail-kinds.ts'
import { LANGUAGES, pickLanguage } from './pick-language.ts'
import { TEXTS, writeMail } from './write-mail.ts'

const kinds = Object.keys(TEXTS.en.kinds) as MailKind[]

test('every mail is written in each language, with the same parts and other words', () => {
  assert.deepEqual(Object.keys(TEXTS).toSorted(), [...LANGUAGES].toSorted())
  assert.deepEqual(Object.keys(TEXTS.pt.kinds), kinds)
  for (const kind of kinds) {
    const [en, pt] = [TEXTS.en.kinds[kind], TEXTS.pt.kinds[kind]]
    assert.notEqual(en.subject, pt.subject, kind)
    assert.deepEqual([en.intro.length, en.outro.length], [pt.intro.length, pt.outro.length], kind)
    for (const text of [en, pt]) assert.equal('action' in text, kind in LINK_PATHS, kind)
    const slots = (text: object) => JSON.stringify(text).match(/\{\w+\}/g)
    assert.deepEqual(slots(en), slots(pt), kind)
    assertOfPortugal(JSON.stringify(pt), kind)
  }
})

test('a mail has its link in words and as a button, and leads to our own page alone', () => {
  for (const language of LANGUAGES) {
    for (const kind of kinds) {
      const mail = writeMail({
        kind,
        to: 'ana@example.com',
        language,
        issuer: 'https://auth.example.com',
        token: 'abc.def-1',
        detail: 'new&<b>@example.com',
      })
      const links = [...`${mail.text} ${mail.html}`.matchAll(/https?:\/\/[^\s"<]+/g)]
      for (const [link] of links) assert.match(link, /^https:\/\/auth\.example\.com[./?\w=-]*$/)
      assert.equal(mail.link !== undefined, kind in LINK_PATHS)
      assert.ok(mail.text.includes(mail.link ?? ''))
      assert.equal(mail.html?.includes('href='), kind in LINK_PATHS)
      assert.doesNotMatch(mail.text + mail.html, /\{\w+\}/)
      assert.doesNotMatch(mail.html ?? '', /<b>@/)
    }
  }
})

test("the page's language goes before the browser's, and English before none", () => {
  const languages: readonly [Record<string, string>, string][] = [
    [{}, 'en'],
    [{ 'accept-language': 'pt-BR,pt;q=0.9,en;q=0.8' }, 'pt'],
    [{ 'accept-language': 'en;q=0.5, PT-pt' }, 'pt'],
    [{ 'accept-language': 'pt;q=0, de' }, 'en'],
    [{ 'accept-language': 'de-AT, fr;q=0.9, pt;q=0.1' }, 'pt'],
    [{ 'accept-language': ';;;,q=,pt;q=x' }, 'en'],
    [{ 'accept-language': 'pt', 'x-parley-locale': 'en' }, 'en'],
    [{ 'accept-language': 'en', 'x-parley-locale': 'pt-BR' }, 'pt'],
    [{ 'accept-language': 'pt', 'x-parley-locale': '../../etc' }, 'pt'],
  ]
  for (const [headers, language] of languages) {
    assert.equal(pickLanguage(new Headers(headers)), language, JSON.stringify(headers))
  }
  assert.equal(pickLanguage(undefined), 'en')
})
