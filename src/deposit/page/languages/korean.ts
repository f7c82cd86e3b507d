import type { Messages } from "./messages.ts";

/**
 * Korean texts. A machine translated them from English, and no native speaker has confirmed
 * them yet.
 */
export const KOREAN: Messages = {
  name: "한국어",
  language: "언어",
  machineMade: "이 번역은 기계가 작성했습니다.",
  merchant: (name) => `결제받는 곳: ${name}`,
  noMoney: {
    sandbox: "샌드박스: 이것은 테스트입니다. 결제하지 마세요.",
    simulated: "시뮬레이션 게이트웨이: 이것은 테스트입니다. 결제하지 마세요.",
  },
  reference: "문의 번호",
  copy: (what) => `복사: ${what}`,
  copyShort: "복사",
  copied: (what) => `복사됨: ${what}`,
  pay: {
    title: (amount) => `${amount} 결제하기`,
    exactly: "정확히 이 금액을 한 번만 결제해 주세요.",
    until: "결제 기한:",
    left: "남은 시간 {time}",
    noExpiry: "지금 결제해 주세요. 이 결제 정보는 이번 결제에만 유효합니다.",
    details: "결제 정보",
    waiting: "결제를 기다리고 있습니다. 결제 금액을 받으면 이 페이지에서 알려 드립니다.",
  },
  upi: {
    scan: "UPI 앱으로 이 코드를 스캔하거나 아래 UPI ID로 결제해 주세요.",
    picture: (amount) => `${amount} UPI 결제용 QR 코드`,
    open: "UPI 앱 열기",
  },
  matchCode: {
    heading: "결제할 때 이 코드를 추가해 주세요",
    text: "결제할 때 메시지 또는 메모란에 이 코드를 입력해 주세요. 코드가 없으면 결제를 찾지 못할 수 있습니다.",
  },
  labels: {
    amount: "금액",
    upiId: "UPI ID",
    walletCode: "전자지갑",
    walletNumber: "전자지갑 번호",
    walletNumberType: "전자지갑 번호 유형",
    walletName: "전자지갑 이름",
    matchCode: "매칭 코드",
    bankName: "은행",
    accountNumber: "계좌 번호",
    accountName: "예금주",
  },
  bank: {
    title: "어느 계좌에서 결제하시겠습니까?",
    text: (amount) =>
      `결제 금액은 ${amount}입니다. 결제에 사용할 은행 계좌를 입력해 주세요. 그다음 결제 정보가 표시됩니다.`,
    bank: "이용하시는 은행",
    choose: "은행을 선택해 주세요",
    code: "이용하시는 은행의 코드",
    account: "본인의 계좌 번호",
    accountHint: "숫자(하이픈은 있어도 되고 없어도 됩니다)",
    send: "계속",
  },
  payerReference: {
    link: "이미 결제하셨나요? 결제 참조 번호를 입력해 주세요",
    title: "결제 참조 번호",
    text: "결제 후 은행이나 전자지갑에 이 참조 번호가 표시됩니다. 참조 번호가 있으면 결제를 더 빨리 찾을 수 있습니다.",
    label: "참조 번호",
    hint: {
      INR: "UTR, 숫자 12자리",
      BDT: "거래 ID: 영문자와 숫자",
    },
    send: "보내기",
    back: "결제로 돌아가기",
    taken: "감사합니다. 참조 번호를 받았으며, 이 번호로 결제를 찾고 있습니다.",
  },
  faults: {
    title: "다음 내용을 확인해 주세요",
    bank: "은행을 입력해 주세요.",
    account: "숫자 4~40자리의 계좌 번호를 입력해 주세요.",
    reference: {
      INR: "숫자 12자리의 UTR을 입력해 주세요.",
      BDT: "영문자와 숫자 6~32자리의 거래 ID를 입력해 주세요.",
    },
    form: "페이지가 너무 오래 열려 있었거나 양식이 변경되었습니다. 양식을 다시 보내 주세요.",
    notTaken: "입력하신 내용이 접수되지 않았습니다. 확인한 후 다시 보내 주세요.",
    notSeen: "계좌 정보를 확인할 수 없었습니다. 다시 입력해 주세요.",
    notNow: "지금은 입력하신 내용을 접수할 수 없습니다. 몇 분 후에 다시 보내 주세요.",
  },
  ends: {
    preparing: {
      title: "잠시만 기다려 주세요",
      text: "결제 정보를 준비하고 있습니다. 아직 결제하지 마세요.",
    },
    checking: {
      title: "이 결제를 확인하고 있습니다",
      text: "이 결제를 계속할 수 있는지 아직 알 수 없습니다. 이 페이지에 결제 정보가 표시될 때까지 결제하지 마세요. 이미 결제하셨다면 다시 결제하지 마세요.",
    },
    untold: {
      title: "결제 정보가 없습니다",
      text: "결제 서비스에서 결제 정보를 제공하지 않았습니다. 결제하지 마세요. 이 페이지를 안내한 상점으로 돌아가 주세요.",
    },
    late: {
      title: "결제 기한이 지났습니다",
      text: "이제 결제하지 마세요. 이미 결제하셨다면 기다려 주세요. 아직 결제를 찾고 있습니다.",
    },
    expired: {
      title: "이 결제는 만료되었습니다",
      text: "기한 내에 결제를 찾지 못했습니다. 이제 결제하지 마세요. 이미 결제하셨다면 아래 문의 번호를 이 페이지를 안내한 상점에 알려 주세요.",
    },
    declined: {
      title: "이 결제는 계속할 수 없습니다",
      text: "결제하지 마세요. 계좌에서 돈이 빠져나갔다면 아래 문의 번호를 이 페이지를 안내한 상점에 알려 주세요.",
    },
    byHand: {
      title: "이 결제는 담당자의 확인이 필요합니다",
      text: "결제하지 마세요. 이미 결제하셨다면 다시 결제하지 마세요. 궁금한 점이 있으면 아래 문의 번호를 이 페이지를 안내한 상점에 알려 주세요.",
    },
    closed: {
      title: "이 결제는 종료되었습니다",
      text: "결제하지 마세요. 궁금한 점이 있으면 아래 문의 번호를 이 페이지를 안내한 상점에 알려 주세요.",
    },
  },
  completed: {
    title: "결제를 받았습니다",
    text: "결제 금액이 도착했습니다. 이 페이지를 닫으셔도 됩니다.",
    amount: (reported) => `결제 서비스가 알린 금액은 ${reported}입니다.`,
    differs: (asked, reported) =>
      `요청한 금액은 ${asked}입니다. 그러나 결제 서비스가 알린 금액은 ${reported}입니다.`,
  },
  refreshes: "이 페이지는 자동으로 업데이트됩니다.",
  noPage: {
    title: "유효하지 않은 링크입니다",
    text: "링크가 일부 빠졌을 수 있습니다. 링크를 받은 메시지나 페이지에서 다시 열어 주세요.",
  },
  tooMany: {
    title: "요청이 너무 많습니다",
    text: "1분 정도 기다린 후 이 페이지를 새로고침해 주세요.",
  },
  broken: {
    title: "이 페이지를 표시할 수 없습니다",
    text: "이것은 저희 쪽의 오류이며 결제 상태를 나타내지 않습니다. 1분 후에 페이지를 새로고침해 주세요.",
  },
};
