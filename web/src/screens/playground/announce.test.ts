import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutAnnouncement } from './announce.ts'

test('an announcement ends at a word, and begins where the last one ended', () => {
  assert.deepEqual(cutAnnouncement('Of cour', 0), { piece: 'Of ', length: 3 })
  assert.deepEqual(cutAnnouncement('Of course I', 3), { piece: 'course ', length: 10 })
  assert.deepEqual(cutAnnouncement('Of course I', 10), { piece: '', length: 10 })
  assert.deepEqual(cutAnnouncement('', 0), { piece: '', length: 0 })
})
