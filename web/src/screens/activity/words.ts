import { defineWords } from '../../words/define-words.ts'

export const activityWords = defineWords({
  en: {
    title: 'Activity',
    intro:
      'What was done to this account, and to how you sign in: by its members, by the operator or by the service. If you do not recognise something, change your password and roll your keys.',
    introOfOwn:
      'What you did in this account, and what was done to how you sign in. All that was done to the account is for owners and read-only members. If you do not recognise something, change your password.',
    kind: 'About',
    allKinds: 'Everything',
    kinds: {
      keys: 'Keys',
      money: 'Money',
      limits: 'Limits and alerts',
      sign_in: 'Signing in',
      apps: 'Connected apps',
      members: 'Members',
      account: 'The account itself',
    },
    list: 'Activity, newest first',
    columns: { at: 'When', what: 'What', who: 'Who', where: 'From where', details: 'Details' },
    actors: {
      you: 'You',
      person: 'Somebody who was a member',
      operator: 'The operator',
      service: 'The service',
    },
    otherBrowser: 'Another program',
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    none: 'Nothing fits',
    noneText: 'Choose other days or everything.',
    clear: 'Clear filters',
  },
  pt: {
    title: 'Atividade',
    intro:
      'O que foi feito a esta conta e à forma como inicia sessão: pelos seus membros, pelo operador ou pelo serviço. Se não reconhece alguma coisa, altere a palavra-passe e renove as chaves.',
    introOfOwn:
      'O que fez nesta conta, e o que foi feito à forma como inicia sessão. Tudo o que foi feito à conta é para os proprietários e para os membros só de leitura. Se não reconhece alguma coisa, altere a palavra-passe.',
    kind: 'Sobre',
    allKinds: 'Tudo',
    kinds: {
      keys: 'Chaves',
      money: 'Dinheiro',
      limits: 'Limites e avisos',
      sign_in: 'Início de sessão',
      apps: 'Aplicações ligadas',
      members: 'Membros',
      account: 'A própria conta',
    },
    list: 'Atividade, a mais recente primeiro',
    columns: { at: 'Quando', what: 'O quê', who: 'Quem', where: 'De onde', details: 'Pormenores' },
    actors: {
      you: 'Você',
      person: 'Alguém que foi membro',
      operator: 'O operador',
      service: 'O serviço',
    },
    otherBrowser: 'Outro programa',
    browserOn: (browser, system) => `${browser} em ${system}`,
    none: 'Nada corresponde',
    noneText: 'Escolha outros dias ou tudo.',
    clear: 'Limpar os filtros',
  },
})
