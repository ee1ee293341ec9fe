import type { MailTexts } from './mail-kinds.ts'

const NOT_YOU =
  'Se não foi você, defina já uma nova senha em "Esqueceu a senha?", na página de entrada: isso encerra todas as sessões.'

export const TEXTS_PT: MailTexts = {
  greeting: 'Olá,',
  footer: 'Este e-mail vem de {origin}. Nunca pedimos a sua senha por e-mail.',
  kinds: {
    verify_address: {
      subject: 'Confirme o seu endereço de e-mail',
      intro: ['alguém, esperamos que você, criou uma conta na Parley com este endereço.'],
      action: 'Confirmar o endereço',
      outro: [
        'O link vale por uma hora. Se não foi você, não faça nada: sem confirmação ninguém pode usar a conta.',
      ],
    },
    reset_password: {
      subject: 'Defina uma nova senha',
      intro: ['alguém, esperamos que você, pediu uma nova senha para a sua conta na Parley.'],
      action: 'Definir uma nova senha',
      outro: [
        'O link funciona uma só vez e vale por uma hora. Se não foi você, não faça nada: a sua senha continua a mesma.',
      ],
    },
    known_address: {
      subject: 'Você já tem uma conta',
      intro: [
        'alguém, esperamos que você, tentou criar uma conta na Parley com este endereço, que já tem uma. Nada foi alterado.',
        'Se foi você: entre como sempre. Se não sabe a senha, ou nunca confirmou o endereço, defina uma nova senha.',
      ],
      action: 'Definir uma nova senha',
      outro: ['Se não foi você, não faça nada.'],
    },
    confirm_change: {
      subject: 'Quer mudar o seu endereço de e-mail?',
      intro: [
        'alguém com sessão iniciada na sua conta da Parley quer mudar o endereço dela para o seguinte:',
        '{detail}',
      ],
      action: 'Permitir a mudança',
      outro: [
        `O link vale por uma hora. Depois enviamos outro e-mail ao novo endereço. ${NOT_YOU}`,
      ],
    },
    verify_change: {
      subject: 'Confirme o seu novo endereço de e-mail',
      intro: ['alguém, esperamos que você, quer usar este endereço na sua conta da Parley.'],
      action: 'Confirmar o novo endereço',
      outro: ['O link vale por uma hora. Se não foi você, não faça nada.'],
    },
    password_changed: {
      subject: 'A sua senha foi alterada',
      intro: [
        'a senha da sua conta na Parley foi alterada. Todas as outras sessões foram encerradas, e os aplicativos em que você entrou com a Parley vão perguntar de novo.',
      ],
      outro: [NOT_YOU],
    },
    two_factor_on: {
      subject: 'A entrada em duas etapas foi ativada',
      intro: ['para entrar na sua conta da Parley agora é preciso também um código do aplicativo.'],
      outro: [NOT_YOU],
    },
    two_factor_off: {
      subject: 'A entrada em duas etapas foi desativada',
      intro: ['para entrar na sua conta da Parley já não é preciso um código do aplicativo.'],
      outro: [NOT_YOU],
    },
    passkey_added: {
      subject: 'Uma chave de acesso foi adicionada',
      intro: ['uma chave de acesso foi adicionada à sua conta da Parley e serve para entrar nela.'],
      outro: [NOT_YOU],
    },
    passkey_removed: {
      subject: 'Uma chave de acesso foi removida',
      intro: [
        'uma chave de acesso da sua conta da Parley foi removida e já não serve para entrar.',
      ],
      outro: [NOT_YOU],
    },
    account_removed: {
      subject: 'A sua conta foi excluída',
      intro: [
        'a sua conta na Parley foi excluída, como você pediu. As suas chaves de API deixaram de funcionar, e os aplicativos já não têm acesso.',
      ],
      outro: ['Este é o último e-mail que você recebe de nós.'],
    },
  },
}
