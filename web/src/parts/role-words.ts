import { defineWords } from '../words/define-words.ts'

/** What members are called, wherever they are. */
export const roleWords = defineWords({
  en: {
    roles: { owner: 'Owner', developer: 'Developer', billing: 'Billing', read_only: 'Read-only' },
    lookOnly: (role: string) =>
      `Your role in this account is ${role}: you may look at this, and not change it.`,
    notYours: 'Not for your role',
    notYoursText: (role: string) =>
      `Your role in this account is ${role}, and this screen is for other roles. An owner can give you another one.`,
    toMembers: 'See the members',
  },
  pt: {
    roles: {
      owner: 'Proprietário',
      developer: 'Programador',
      billing: 'Faturação',
      read_only: 'Só leitura',
    },
    lookOnly: (role) => `O seu papel nesta conta é ${role}: pode ver isto, mas não alterar.`,
    notYours: 'Não é para o seu papel',
    notYoursText: (role) =>
      `O seu papel nesta conta é ${role}, e este ecrã é para outros papéis. Um proprietário pode dar-lhe outro.`,
    toMembers: 'Ver os membros',
  },
})
