import { defineWords } from '../../words/define-words.ts'

export const connectedAppsWords = defineWords({
  en: {
    title: 'Connected apps',
    intro: 'Apps that you have let know who you are. None of them has your password.',
    knows: 'It can see:',
    since: (day: string) => `Connected on ${day}`,
    lastUsed: (day: string) => `last used on ${day}`,
    revoke: 'Revoke access',
    revokeOf: (app: string) => `Revoke access of ${app}`,
    revokeTitle: (app: string) => `Revoke access of ${app}?`,
    revokeText:
      'All its tokens stop working at once. What it has learnt about you so far it keeps; to learn more it has to ask you again.',
    revokeCommand:
      'This is the command on your own computers: they have to run “parley login” again.',
    revoked: (app: string) => `${app} has no access any more.`,
    empty: 'No app is connected',
    emptyText:
      'When you sign in to an app with your account here and allow it to know you, it appears in this list. The command does that too:',
    command: 'Command',
    scopes: {
      openid: 'An ID that never changes, to recognise your account',
      profile: 'Your name and your picture',
      email: 'Your e-mail address',
      plano: 'Your plan',
      offline_access: 'All of this while you are away too, until you revoke it',
    },
    otherScope: (name: string) => `Something it calls “${name}”`,
  },
  pt: {
    title: 'Aplicações ligadas',
    intro: 'Aplicações a que permitiu saber quem é. Nenhuma delas tem a sua palavra-passe.',
    knows: 'Pode ver:',
    since: (day) => `Ligada em ${day}`,
    lastUsed: (day) => `última utilização em ${day}`,
    revoke: 'Revogar acesso',
    revokeOf: (app) => `Revogar o acesso de ${app}`,
    revokeTitle: (app) => `Revogar o acesso de ${app}?`,
    revokeText:
      'Todos os seus tokens deixam de funcionar de imediato. Conserva o que já soube a seu respeito; para saber mais, tem de lhe voltar a pedir.',
    revokeCommand:
      'É o comando nos seus próprios computadores: terá de executar «parley login» outra vez.',
    revoked: (app) => `${app} já não tem acesso.`,
    empty: 'Nenhuma aplicação está ligada',
    emptyText:
      'Quando inicia sessão numa aplicação com a sua conta daqui e permite que ela saiba quem é, ela aparece nesta lista. O comando também o faz:',
    command: 'Comando',
    scopes: {
      openid: 'Um ID que nunca muda, para reconhecer a sua conta',
      profile: 'O seu nome e a sua fotografia',
      email: 'O seu endereço de e-mail',
      plano: 'O seu plano',
      offline_access: 'Tudo isto também na sua ausência, até o revogar',
    },
    otherScope: (name) => `Algo a que chama «${name}»`,
  },
})
