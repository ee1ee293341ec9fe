import type { MailTexts } from './mail-kinds.ts'

const NOT_YOU =
  'Se não reconhece esta ação, escolha já uma nova palavra-passe em «Esqueceu-se da palavra-passe?», na página de início de sessão. Assim, todas as sessões são terminadas.'

export const TEXTS_PT: MailTexts = {
  greeting: 'Olá,',
  footer: 'Este e-mail foi enviado por {origin}. Nunca pedimos a sua palavra-passe por e-mail.',
  kinds: {
    verify_address: {
      subject: 'Confirme o seu endereço de e-mail',
      intro: [
        'Recebemos um pedido, esperamos que seu, para criar uma conta Parley com este endereço.',
      ],
      action: 'Confirmar o endereço',
      outro: [
        'A ligação é válida durante uma hora. Se o pedido não foi seu, não precisa de fazer nada: sem a sua confirmação, ninguém pode usar a conta.',
      ],
    },
    reset_password: {
      subject: 'Escolha uma nova palavra-passe',
      intro: [
        'Recebemos um pedido, esperamos que seu, de uma nova palavra-passe para a sua conta Parley.',
      ],
      action: 'Escolher uma nova palavra-passe',
      outro: [
        'A ligação só funciona uma vez e é válida durante uma hora. Se não fez este pedido, não precisa de fazer nada: a sua palavra-passe continua a mesma.',
      ],
    },
    known_address: {
      subject: 'Já tem uma conta',
      intro: [
        'Recebemos um pedido, esperamos que seu, para criar uma conta Parley com este endereço, que já tem uma. Nada foi alterado.',
        'Se foi um pedido seu, inicie sessão como habitualmente. Se não sabe a palavra-passe ou nunca confirmou o endereço, escolha uma nova palavra-passe.',
      ],
      action: 'Escolher uma nova palavra-passe',
      outro: ['Se o pedido não foi seu, não precisa de fazer nada.'],
    },
    confirm_change: {
      subject: 'Quer alterar o seu endereço de e-mail?',
      intro: [
        'Alguém com sessão iniciada na sua conta Parley quer alterar o endereço da conta para este:',
        '{detail}',
      ],
      action: 'Permitir a alteração',
      outro: [
        `A ligação é válida durante uma hora. Enviaremos depois outro e-mail para o novo endereço. ${NOT_YOU}`,
      ],
    },
    verify_change: {
      subject: 'Confirme o seu novo endereço de e-mail',
      intro: ['Recebemos um pedido, esperamos que seu, para usar este endereço numa conta Parley.'],
      action: 'Confirmar o novo endereço',
      outro: [
        'A ligação é válida durante uma hora. Se o pedido não foi seu, não precisa de fazer nada.',
      ],
    },
    invitation: {
      subject: 'Recebeu um convite para uma conta Parley',
      intro: ['Esta pessoa convida-o a usar a conta Parley dela em conjunto:', '{detail}'],
      action: 'Ver o convite',
      outro: [
        'A ligação só funciona uma vez e é válida durante sete dias. Se não sabe quem é, não precisa de fazer nada.',
      ],
    },
    password_changed: {
      subject: 'A sua palavra-passe foi alterada',
      intro: [
        'A palavra-passe da sua conta Parley foi alterada. Todas as outras sessões foram terminadas, e as aplicações em que inicia sessão com Parley vão pedir-lhe que o faça de novo.',
      ],
      outro: [NOT_YOU],
    },
    two_factor_on: {
      subject: 'A autenticação em dois passos foi ativada',
      intro: [
        'Para iniciar sessão na sua conta Parley, passa a ser preciso também um código da aplicação de autenticação.',
      ],
      outro: [NOT_YOU],
    },
    two_factor_off: {
      subject: 'A autenticação em dois passos foi desativada',
      intro: [
        'Para iniciar sessão na sua conta Parley, já não é preciso um código da aplicação de autenticação.',
      ],
      outro: [NOT_YOU],
    },
    two_factor_reset: {
      subject: 'A autenticação em dois passos foi reposta',
      intro: [
        'O operador deste serviço retirou o segundo passo do seu início de sessão, como quando se perde um dispositivo: a sua conta Parley já não pede um código. Todas as suas sessões foram terminadas.',
      ],
      outro: ['Ative-a de novo em «Conta e segurança», depois de iniciar sessão.', NOT_YOU],
    },
    passkey_added: {
      subject: 'Foi adicionada uma chave de acesso',
      intro: [
        'Foi adicionada uma chave de acesso à sua conta Parley. Pode ser usada para iniciar sessão.',
      ],
      outro: [NOT_YOU],
    },
    passkey_removed: {
      subject: 'Foi removida uma chave de acesso',
      intro: [
        'Foi removida uma chave de acesso da sua conta Parley. Já não pode ser usada para iniciar sessão.',
      ],
      outro: [NOT_YOU],
    },
    account_removed: {
      subject: 'A sua conta foi eliminada',
      intro: [
        'A sua conta Parley foi eliminada, como pediu. As suas chaves de API deixaram de funcionar e as aplicações já não têm acesso.',
      ],
      outro: ['Este é o último e-mail que recebe da nossa parte.'],
    },
    account_removed_by_operator: {
      subject: 'A sua conta foi eliminada',
      intro: [
        'O operador deste serviço eliminou a sua conta Parley. As suas chaves de API deixaram de funcionar e as aplicações já não têm acesso.',
      ],
      outro: ['Este é o último e-mail que recebe da nossa parte.'],
    },
  },
}
