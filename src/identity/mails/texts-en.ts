import type { MailTexts } from './mail-kinds.ts'

const NOT_YOU =
  'If this was not you, choose a new password at once with “Forgot password?” on the sign-in page. That ends every session.'

export const TEXTS_EN: MailTexts = {
  greeting: 'Hello,',
  footer: 'This e-mail comes from {origin}. We never ask for your password by e-mail.',
  kinds: {
    verify_address: {
      subject: 'Confirm your e-mail address',
      intro: ['Someone, hopefully you, signed up for Parley with this address.'],
      action: 'Confirm the address',
      outro: [
        'The link works for one hour. If you did not sign up, do nothing: without your confirmation, nobody can use the account.',
      ],
    },
    reset_password: {
      subject: 'Choose a new password',
      intro: ['Someone, hopefully you, asked for a new password for your Parley account.'],
      action: 'Choose a new password',
      outro: [
        'The link works only once, and for one hour. If you did not ask for it, do nothing: your password stays as it is.',
      ],
    },
    known_address: {
      subject: 'You already have an account',
      intro: [
        'Someone, hopefully you, tried to sign up for Parley with this address, which already has an account. Nothing was changed.',
        'If it was you, sign in as usual. If you do not know the password, or never confirmed the address, choose a new password.',
      ],
      action: 'Choose a new password',
      outro: ['If it was not you, do nothing.'],
    },
    confirm_change: {
      subject: 'Do you want to change your e-mail address?',
      intro: [
        'Someone who is signed in to your Parley account wants to change its address to this one:',
        '{detail}',
      ],
      action: 'Allow the change',
      outro: [
        `The link works for one hour. We will then send another e-mail to the new address. ${NOT_YOU}`,
      ],
    },
    verify_change: {
      subject: 'Confirm your new e-mail address',
      intro: ['Someone, hopefully you, wants to use this address for their Parley account.'],
      action: 'Confirm the new address',
      outro: ['The link works for one hour. If it was not you, do nothing.'],
    },
    invitation: {
      subject: 'You are invited to a Parley account',
      intro: [
        'This person invites you to use their Parley account together with them:',
        '{detail}',
      ],
      action: 'See the invitation',
      outro: [
        'The link works once and is good for seven days. If you do not know who that is, you need not do anything.',
      ],
    },
    password_changed: {
      subject: 'Your password was changed',
      intro: [
        'The password of your Parley account was changed. All other sessions have ended, and apps that you signed in to with Parley will ask you to sign in again.',
      ],
      outro: [NOT_YOU],
    },
    two_factor_on: {
      subject: 'Two-step sign-in was switched on',
      intro: [
        'Signing in to your Parley account now also takes a code from your authenticator app.',
      ],
      outro: [NOT_YOU],
    },
    two_factor_off: {
      subject: 'Two-step sign-in was switched off',
      intro: [
        'Signing in to your Parley account no longer takes a code from your authenticator app.',
      ],
      outro: [NOT_YOU],
    },
    two_factor_reset: {
      subject: 'Two-step sign-in was reset',
      intro: [
        'The operator of this service has taken the second step of your sign-in away, as for a lost device: your Parley account no longer asks for a code. You are signed out everywhere.',
      ],
      outro: ['Turn it on again under “Account & security” once you are signed in.', NOT_YOU],
    },
    passkey_added: {
      subject: 'A passkey was added',
      intro: ['A passkey was added to your Parley account. It can be used to sign in.'],
      outro: [NOT_YOU],
    },
    passkey_removed: {
      subject: 'A passkey was removed',
      intro: [
        'A passkey was removed from your Parley account. It can no longer be used to sign in.',
      ],
      outro: [NOT_YOU],
    },
    account_removed: {
      subject: 'Your account was deleted',
      intro: [
        'Your Parley account was deleted, as you asked. Your API keys have stopped working, and apps no longer have access.',
      ],
      outro: ['This is the last e-mail that you will get from us.'],
    },
    account_removed_by_operator: {
      subject: 'Your account was deleted',
      intro: [
        'The operator of this service has deleted your Parley account. Your API keys have stopped working, and apps no longer have access.',
      ],
      outro: ['This is the last e-mail that you will get from us.'],
    },
  },
}
