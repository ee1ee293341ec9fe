import type { MailTexts } from './mail-kinds.ts'

const NOT_YOU =
  'If this was not you, set a new password at once with "Forgot password?" on the sign-in page: it ends every session.'

export const TEXTS_EN: MailTexts = {
  greeting: 'Hello,',
  footer: 'This mail comes from {origin}. We never ask for your password by mail.',
  kinds: {
    verify_address: {
      subject: 'Confirm your e-mail address',
      intro: ['somebody, hopefully you, signed up to Parley with this address.'],
      action: 'Confirm the address',
      outro: [
        'The link works for one hour. If you did not sign up, do nothing: without a confirmation nobody can use the account.',
      ],
    },
    reset_password: {
      subject: 'Set a new password',
      intro: ['somebody, hopefully you, asked for a new password for your Parley account.'],
      action: 'Set a new password',
      outro: [
        'The link works once, and for one hour. If you did not ask for it, do nothing: your password stays as it is.',
      ],
    },
    known_address: {
      subject: 'You have an account already',
      intro: [
        'somebody, hopefully you, tried to sign up to Parley with this address, which has an account already. Nothing was changed.',
        'If it was you: sign in as you always do. If you do not know the password, or never confirmed the address, set a new password.',
      ],
      action: 'Set a new password',
      outro: ['If it was not you, do nothing.'],
    },
    confirm_change: {
      subject: 'Do you want to change your e-mail address?',
      intro: [
        'somebody who is signed in to your Parley account wants to change its address to the following one:',
        '{detail}',
      ],
      action: 'Allow the change',
      outro: [
        `The link works for one hour. We then send another mail to the new address. ${NOT_YOU}`,
      ],
    },
    verify_change: {
      subject: 'Confirm your new e-mail address',
      intro: ['somebody, hopefully you, wants to use this address for their Parley account.'],
      action: 'Confirm the new address',
      outro: ['The link works for one hour. If it was not you, do nothing.'],
    },
    password_changed: {
      subject: 'Your password was changed',
      intro: [
        'the password of your Parley account was changed. All other sessions have ended, and apps that you signed in to with Parley will ask you again.',
      ],
      outro: [NOT_YOU],
    },
    two_factor_on: {
      subject: 'Two-step sign-in was switched on',
      intro: ['signing in to your Parley account now takes a code from your app as well.'],
      outro: [NOT_YOU],
    },
    two_factor_off: {
      subject: 'Two-step sign-in was switched off',
      intro: ['signing in to your Parley account no longer takes a code from your app.'],
      outro: [NOT_YOU],
    },
    passkey_added: {
      subject: 'A passkey was added',
      intro: ['a passkey was added to your Parley account. It can be used to sign in.'],
      outro: [NOT_YOU],
    },
    passkey_removed: {
      subject: 'A passkey was removed',
      intro: ['a passkey of your Parley account was removed. It no longer signs anybody in.'],
      outro: [NOT_YOU],
    },
    account_removed: {
      subject: 'Your account was deleted',
      intro: [
        'your Parley account was deleted, as you asked. Your API keys have stopped working, and apps no longer have access.',
      ],
      outro: ['This is the last mail that you get from us.'],
    },
  },
}
