import type { Messages } from "./messages.ts";

/**
 * Turkish texts. A machine translated them from English, and no native speaker has confirmed
 * them yet.
 */
export const TURKISH: Messages = {
  name: "Türkçe",
  language: "Dil",
  machineMade: "Bu çeviri bir makine tarafından yapılmıştır.",
  merchant: (name) => `Ödeme yaptığınız işletme: ${name}`,
  noMoney: {
    sandbox: "Deneme ortamı (sandbox): bu bir testtir. Lütfen ödeme yapmayın.",
    simulated: "Simüle edilmiş ödeme geçidi: bu bir testtir. Lütfen ödeme yapmayın.",
  },
  reference: "Referans",
  copy: (what) => `Kopyala: ${what}`,
  copyShort: "Kopyala",
  copied: (what) => `Kopyalandı: ${what}`,
  pay: {
    title: (amount) => `${amount} ödeyin`,
    exactly: "Lütfen tam olarak bu tutarı ve yalnızca bir kez ödeyin.",
    until: "Son ödeme zamanı:",
    left: "Kalan süre: {time}",
    noExpiry: "Lütfen şimdi ödeyin. Bu bilgiler yalnızca bu ödeme için geçerlidir.",
    details: "Ödeme bilgileri",
    waiting: "Ödemeniz bekleniyor. Ödemeniz alındığında bu sayfa bunu onaylayacaktır.",
  },
  upi: {
    scan: "Bu kodu bir UPI uygulamasıyla tarayın veya aşağıdaki UPI kimliğine ödeme yapın.",
    picture: (amount) => `${amount} tutarındaki UPI ödemesi için QR kodu`,
    open: "UPI uygulamasını aç",
  },
  matchCode: {
    heading: "Bu kodu ödemenize ekleyin",
    text: "Ödeme yaparken bu kodu mesaj veya açıklama alanına yazın. Kod olmadan ödemeniz bulunamayabilir.",
  },
  labels: {
    amount: "Tutar",
    upiId: "UPI kimliği",
    walletCode: "Cüzdan",
    walletNumber: "Cüzdan numarası",
    walletNumberType: "Cüzdan numarası türü",
    walletName: "Cüzdan adı",
    matchCode: "Eşleştirme kodu",
    bankName: "Banka",
    accountNumber: "Hesap numarası",
    accountName: "Hesap sahibi",
  },
  bank: {
    title: "Hangi hesaptan ödeme yapacaksınız?",
    text: (amount) =>
      `${amount} ödüyorsunuz. Ödemeyi yapacağınız banka hesabını girin. Ardından ödeme bilgilerini göreceksiniz.`,
    bank: "Bankanız",
    choose: "Bankanızı seçin",
    code: "Banka kodunuz",
    account: "Hesap numaranız",
    accountHint: "Rakamlar, kısa çizgili veya kısa çizgisiz",
    send: "Devam et",
  },
  payerReference: {
    link: "Zaten ödediniz mi? Ödeme referansınızı girin",
    title: "Ödeme referansınız",
    text: "Bankanız veya cüzdanınız bu referansı ödeme yaptıktan sonra gösterir. Bu referans, ödemenizi daha çabuk bulmamıza yardımcı olur.",
    label: "Referans",
    hint: {
      INR: "UTR, 12 rakam",
      BDT: "İşlem kimliği: harfler ve rakamlar",
    },
    send: "Gönder",
    back: "Ödemeye dön",
    taken: "Teşekkür ederiz. Referansınızı aldık ve ödemenizi bulmak için kullanıyoruz.",
  },
  faults: {
    title: "Lütfen aşağıdakileri kontrol edin",
    bank: "Bankanızı girin.",
    account: "4 ila 40 rakamdan oluşan bir hesap numarası girin.",
    reference: {
      INR: "12 rakamlı UTR numarasını girin.",
      BDT: "6 ila 32 harf ve rakamdan oluşan bir işlem kimliği girin.",
    },
    form: "Bu sayfa çok uzun süre açık kaldı veya form değiştirildi. Lütfen formu yeniden gönderin.",
    notTaken: "Girdiğiniz bilgiler kabul edilmedi. Lütfen kontrol edip yeniden gönderin.",
    notSeen: "Hesap bilgilerinizi doğrulayamadık. Lütfen yeniden girin.",
    notNow:
      "Girdiğiniz bilgileri şu anda kabul edemiyoruz. Lütfen birkaç dakika sonra yeniden gönderin.",
  },
  ends: {
    preparing: {
      title: "Lütfen biraz bekleyin",
      text: "Ödeme bilgileri hazırlanıyor. Lütfen henüz ödeme yapmayın.",
    },
    checking: {
      title: "Bu ödeme kontrol ediliyor",
      text: "Bu ödemenin devam edip edemeyeceğini henüz bilmiyoruz. Bu sayfa ödeme bilgilerini gösterene kadar lütfen ödeme yapmayın. Zaten ödeme yaptıysanız tekrar ödeme yapmayın.",
    },
    untold: {
      title: "Ödeme bilgileri mevcut değil",
      text: "Ödeme hizmeti, ödeme bilgilerini sağlamadı. Lütfen ödeme yapmayın. Sizi buraya yönlendiren mağazaya dönün.",
    },
    late: {
      title: "Ödeme süresi doldu",
      text: "Lütfen artık ödeme yapmayın. Zaten ödeme yaptıysanız lütfen bekleyin: ödemenizi hâlâ arıyoruz.",
    },
    expired: {
      title: "Bu ödemenin süresi sona erdi",
      text: "Süresi içinde bir ödeme bulunamadı. Lütfen artık ödeme yapmayın. Zaten ödeme yaptıysanız aşağıdaki referansı sizi buraya yönlendiren mağazaya iletin.",
    },
    declined: {
      title: "Bu ödemeye devam edilemiyor",
      text: "Lütfen ödeme yapmayın. Hesabınızdan para çıktıysa aşağıdaki referansı sizi buraya yönlendiren mağazaya iletin.",
    },
    byHand: {
      title: "Bu ödemenin bir görevli tarafından kontrol edilmesi gerekiyor",
      text: "Lütfen ödeme yapmayın. Zaten ödeme yaptıysanız tekrar ödeme yapmayın. Sorularınız varsa aşağıdaki referansı sizi buraya yönlendiren mağazaya iletin.",
    },
    closed: {
      title: "Bu ödeme kapatıldı",
      text: "Lütfen ödeme yapmayın. Sorularınız varsa aşağıdaki referansı sizi buraya yönlendiren mağazaya iletin.",
    },
  },
  completed: {
    title: "Ödeme alındı",
    text: "Ödemeniz ulaştı. Bu sayfayı kapatabilirsiniz.",
    amount: (reported) => `Ödeme hizmetinin bildirdiği tutar: ${reported}.`,
    differs: (asked, reported) =>
      `İstenen tutar ${asked} idi, ancak ödeme hizmetinin bildirdiği tutar ${reported}.`,
  },
  refreshes: "Bu sayfa kendiliğinden güncellenir.",
  noPage: {
    title: "Bu bağlantı geçerli değil",
    text: "Bağlantı eksik olabilir. Lütfen bağlantıyı aldığınız mesajdan veya sayfadan yeniden açın.",
  },
  tooMany: {
    title: "Çok fazla istek",
    text: "Lütfen bir dakika bekleyin, ardından bu sayfayı yenileyin.",
  },
  broken: {
    title: "Bu sayfa görüntülenemedi",
    text: "Bu, bizim tarafımızdaki bir hatadır ve ödemenizin durumunu göstermez. Lütfen bir dakika sonra sayfayı yenileyin.",
  },
};
