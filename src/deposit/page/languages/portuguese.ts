import type { Messages } from "./messages.ts";

/**
 * Brazilian Portuguese texts. A machine translated them from English, and no native speaker has
 * confirmed them yet.
 */
export const PORTUGUESE: Messages = {
  name: "Português (Brasil)",
  language: "Idioma",
  machineMade: "Esta tradução foi feita por uma máquina.",
  merchant: (name) => `Você está pagando a ${name}`,
  noMoney: {
    sandbox: "Sandbox: este é um teste. Por favor, não pague.",
    simulated: "Gateway simulado: este é um teste. Por favor, não pague.",
  },
  reference: "Referência",
  copy: (what) => `Copiar: ${what}`,
  copyShort: "Copiar",
  copied: (what) => `Copiado: ${what}`,
  pay: {
    title: (amount) => `Pague ${amount}`,
    exactly: "Por favor, pague exatamente este valor e apenas uma vez.",
    until: "Pague antes de",
    left: "Tempo restante: {time}",
    noExpiry: "Por favor, pague agora. Estes dados são válidos somente para este pagamento.",
    details: "Dados do pagamento",
    waiting: "Aguardando o seu pagamento. Esta página confirmará quando ele for recebido.",
  },
  upi: {
    scan: "Escaneie este código com um aplicativo UPI ou pague para o ID UPI abaixo.",
    picture: (amount) => `Código QR para um pagamento UPI de ${amount}`,
    open: "Abrir um aplicativo UPI",
  },
  matchCode: {
    heading: "Adicione este código ao seu pagamento",
    text: "Ao pagar, digite este código no campo de mensagem ou de observação. Sem o código, o seu pagamento pode não ser encontrado.",
  },
  labels: {
    amount: "Valor",
    upiId: "ID UPI",
    walletCode: "Carteira",
    walletNumber: "Número da carteira",
    walletNumberType: "Tipo do número da carteira",
    walletName: "Nome da carteira",
    matchCode: "Código de identificação",
    bankName: "Banco",
    accountNumber: "Número da conta",
    accountName: "Titular da conta",
  },
  bank: {
    title: "De qual conta você vai pagar?",
    text: (amount) =>
      `Você está pagando ${amount}. Informe a conta bancária da qual você vai pagar. Em seguida, você verá os dados do pagamento.`,
    bank: "Seu banco",
    choose: "Escolha o seu banco",
    code: "Código do seu banco",
    account: "Número da sua conta",
    accountHint: "Dígitos, com ou sem hífens",
    send: "Continuar",
  },
  payerReference: {
    link: "Já pagou? Informe a referência do seu pagamento",
    title: "Referência do seu pagamento",
    text: "O seu banco ou a sua carteira mostra esta referência depois que você paga. A referência nos ajuda a encontrar o seu pagamento mais cedo.",
    label: "Referência",
    hint: {
      INR: "UTR, 12 dígitos",
      BDT: "ID da transação: letras e dígitos",
    },
    send: "Enviar",
    back: "Voltar ao pagamento",
    taken:
      "Agradecemos. Recebemos a sua referência e a estamos usando para encontrar o seu pagamento.",
  },
  faults: {
    title: "Por favor, verifique o seguinte",
    bank: "Informe o seu banco.",
    account: "Informe um número de conta com 4 a 40 dígitos.",
    reference: {
      INR: "Informe o UTR de 12 dígitos.",
      BDT: "Informe um ID da transação com 6 a 32 letras e dígitos.",
    },
    form: "Esta página ficou aberta por tempo demais ou o formulário foi alterado. Por favor, envie o formulário novamente.",
    notTaken:
      "Os dados informados não foram aceitos. Por favor, verifique-os e envie-os novamente.",
    notSeen: "Não foi possível confirmar os dados da sua conta. Por favor, informe-os novamente.",
    notNow:
      "No momento, não podemos aceitar os dados informados. Por favor, envie-os novamente em alguns minutos.",
  },
  ends: {
    preparing: {
      title: "Um momento, por favor",
      text: "Os dados do pagamento estão sendo preparados. Por favor, não pague ainda.",
    },
    checking: {
      title: "Este pagamento está sendo verificado",
      text: "Ainda não sabemos se este pagamento pode continuar. Por favor, não pague até que esta página mostre os dados do pagamento. Se você já pagou, não pague novamente.",
    },
    untold: {
      title: "Os dados do pagamento não estão disponíveis",
      text: "O serviço de pagamento não forneceu os dados do pagamento. Por favor, não pague. Volte à loja que enviou você para cá.",
    },
    late: {
      title: "O prazo de pagamento terminou",
      text: "Por favor, não pague agora. Se você já pagou, aguarde: ainda estamos procurando o seu pagamento.",
    },
    expired: {
      title: "Este pagamento expirou",
      text: "Nenhum pagamento foi encontrado dentro do prazo. Por favor, não pague agora. Se você já pagou, informe a referência abaixo à loja que enviou você para cá.",
    },
    declined: {
      title: "Este pagamento não pode continuar",
      text: "Por favor, não pague. Se saiu dinheiro da sua conta, informe a referência abaixo à loja que enviou você para cá.",
    },
    byHand: {
      title: "Este pagamento precisa de uma verificação manual",
      text: "Por favor, não pague. Se você já pagou, não pague novamente. Se tiver dúvidas, informe a referência abaixo à loja que enviou você para cá.",
    },
    closed: {
      title: "Este pagamento foi encerrado",
      text: "Por favor, não pague. Se tiver dúvidas, informe a referência abaixo à loja que enviou você para cá.",
    },
  },
  completed: {
    title: "Pagamento recebido",
    text: "O seu pagamento chegou. Você pode fechar esta página.",
    amount: (reported) => `O serviço de pagamento informa o valor de ${reported}.`,
    differs: (asked, reported) =>
      `O valor solicitado era ${asked}, mas o serviço de pagamento informa ${reported}.`,
  },
  refreshes: "Esta página é atualizada automaticamente.",
  noPage: {
    title: "Este link não é válido",
    text: "Ele pode estar incompleto. Por favor, abra-o novamente a partir da mensagem ou da página em que você o recebeu.",
  },
  tooMany: {
    title: "Muitas solicitações",
    text: "Por favor, aguarde um minuto e recarregue esta página.",
  },
  broken: {
    title: "Não foi possível exibir esta página",
    text: "Este é um erro do nosso lado e não indica a situação do seu pagamento. Por favor, recarregue a página em um minuto.",
  },
};
