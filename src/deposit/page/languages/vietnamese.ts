import type { Messages } from "./messages.ts";

/**
 * Vietnamese texts. A machine translated them from English, and no native speaker has confirmed
 * them yet.
 */
export const VIETNAMESE: Messages = {
  name: "Tiếng Việt",
  language: "Ngôn ngữ",
  machineMade: "Bản dịch này do máy thực hiện.",
  merchant: (name) => `Bạn đang thanh toán cho ${name}`,
  noMoney: {
    sandbox: "Môi trường thử nghiệm (sandbox): đây là thử nghiệm. Vui lòng không thanh toán.",
    simulated: "Cổng thanh toán mô phỏng: đây là thử nghiệm. Vui lòng không thanh toán.",
  },
  reference: "Mã tham chiếu",
  copy: (what) => `Sao chép: ${what}`,
  copyShort: "Sao chép",
  copied: (what) => `Đã sao chép: ${what}`,
  pay: {
    title: (amount) => `Thanh toán ${amount}`,
    exactly: "Vui lòng thanh toán đúng số tiền này và chỉ một lần.",
    until: "Thanh toán trước",
    left: "Thời gian còn lại: {time}",
    noExpiry: "Vui lòng thanh toán ngay. Thông tin này chỉ có hiệu lực cho lần thanh toán này.",
    details: "Thông tin thanh toán",
    waiting:
      "Đang chờ khoản thanh toán của bạn. Trang này sẽ xác nhận khi nhận được khoản thanh toán.",
  },
  upi: {
    scan: "Quét mã này bằng ứng dụng UPI hoặc thanh toán đến ID UPI bên dưới.",
    picture: (amount) => `Mã QR cho khoản thanh toán UPI ${amount}`,
    open: "Mở ứng dụng UPI",
  },
  matchCode: {
    heading: "Thêm mã này vào khoản thanh toán của bạn",
    text: "Khi thanh toán, hãy nhập mã này vào ô lời nhắn hoặc ghi chú. Nếu không có mã, khoản thanh toán của bạn có thể không được tìm thấy.",
  },
  labels: {
    amount: "Số tiền",
    upiId: "ID UPI",
    walletCode: "Ví điện tử",
    walletNumber: "Số ví",
    walletNumberType: "Loại số ví",
    walletName: "Tên ví",
    matchCode: "Mã đối chiếu",
    bankName: "Ngân hàng",
    accountNumber: "Số tài khoản",
    accountName: "Tên chủ tài khoản",
  },
  bank: {
    title: "Bạn sẽ thanh toán từ tài khoản nào?",
    text: (amount) =>
      `Bạn đang thanh toán ${amount}. Hãy nhập tài khoản ngân hàng mà bạn sẽ dùng để thanh toán. Sau đó bạn sẽ thấy thông tin thanh toán.`,
    bank: "Ngân hàng của bạn",
    choose: "Chọn ngân hàng của bạn",
    code: "Mã ngân hàng của bạn",
    account: "Số tài khoản của bạn",
    accountHint: "Các chữ số, có hoặc không có dấu gạch nối",
    send: "Tiếp tục",
  },
  payerReference: {
    link: "Bạn đã thanh toán? Hãy nhập mã tham chiếu thanh toán",
    title: "Mã tham chiếu thanh toán của bạn",
    text: "Ngân hàng hoặc ví điện tử của bạn hiển thị mã này sau khi bạn thanh toán. Mã này giúp chúng tôi tìm thấy khoản thanh toán của bạn sớm hơn.",
    label: "Mã tham chiếu",
    hint: {
      INR: "UTR, 12 chữ số",
      BDT: "Mã giao dịch: chữ cái và chữ số",
    },
    send: "Gửi",
    back: "Quay lại trang thanh toán",
    taken:
      "Cảm ơn bạn. Chúng tôi đã nhận được mã tham chiếu và đang dùng mã này để tìm khoản thanh toán của bạn.",
  },
  faults: {
    title: "Vui lòng kiểm tra các mục sau",
    bank: "Hãy nhập ngân hàng của bạn.",
    account: "Hãy nhập số tài khoản có từ 4 đến 40 chữ số.",
    reference: {
      INR: "Hãy nhập mã UTR gồm 12 chữ số.",
      BDT: "Hãy nhập mã giao dịch gồm 6 đến 32 chữ cái và chữ số.",
    },
    form: "Trang này đã mở quá lâu hoặc biểu mẫu đã bị thay đổi. Vui lòng gửi lại biểu mẫu.",
    notTaken: "Thông tin bạn nhập không được chấp nhận. Vui lòng kiểm tra và gửi lại.",
    notSeen: "Chúng tôi không thể xác nhận thông tin tài khoản của bạn. Vui lòng nhập lại.",
    notNow:
      "Hiện tại chúng tôi không thể tiếp nhận thông tin bạn nhập. Vui lòng gửi lại sau vài phút.",
  },
  ends: {
    preparing: {
      title: "Vui lòng chờ trong giây lát",
      text: "Thông tin thanh toán đang được chuẩn bị. Vui lòng chưa thanh toán lúc này.",
    },
    checking: {
      title: "Khoản thanh toán này đang được kiểm tra",
      text: "Chúng tôi chưa biết khoản thanh toán này có thể tiếp tục hay không. Vui lòng không thanh toán cho đến khi trang này hiển thị thông tin thanh toán. Nếu bạn đã thanh toán, xin đừng thanh toán lại.",
    },
    untold: {
      title: "Không có thông tin thanh toán",
      text: "Dịch vụ thanh toán chưa cung cấp thông tin thanh toán. Vui lòng không thanh toán. Hãy quay lại cửa hàng đã đưa bạn đến đây.",
    },
    late: {
      title: "Đã quá hạn thanh toán",
      text: "Vui lòng không thanh toán nữa. Nếu bạn đã thanh toán, vui lòng chờ: chúng tôi vẫn đang tìm khoản thanh toán của bạn.",
    },
    expired: {
      title: "Khoản thanh toán này đã hết hạn",
      text: "Không tìm thấy khoản thanh toán nào đúng hạn. Vui lòng không thanh toán nữa. Nếu bạn đã thanh toán, hãy gửi mã tham chiếu bên dưới cho cửa hàng đã đưa bạn đến đây.",
    },
    declined: {
      title: "Khoản thanh toán này không thể tiếp tục",
      text: "Vui lòng không thanh toán. Nếu tiền đã bị trừ khỏi tài khoản của bạn, hãy gửi mã tham chiếu bên dưới cho cửa hàng đã đưa bạn đến đây.",
    },
    byHand: {
      title: "Khoản thanh toán này cần được kiểm tra thủ công",
      text: "Vui lòng không thanh toán. Nếu bạn đã thanh toán, xin đừng thanh toán lại. Nếu bạn có câu hỏi, hãy gửi mã tham chiếu bên dưới cho cửa hàng đã đưa bạn đến đây.",
    },
    closed: {
      title: "Khoản thanh toán này đã được đóng",
      text: "Vui lòng không thanh toán. Nếu bạn có câu hỏi, hãy gửi mã tham chiếu bên dưới cho cửa hàng đã đưa bạn đến đây.",
    },
  },
  completed: {
    title: "Đã nhận được khoản thanh toán",
    text: "Khoản thanh toán của bạn đã đến. Bạn có thể đóng trang này.",
    amount: (reported) => `Dịch vụ thanh toán báo số tiền là ${reported}.`,
    differs: (asked, reported) =>
      `Số tiền yêu cầu là ${asked}, nhưng dịch vụ thanh toán báo số tiền là ${reported}.`,
  },
  refreshes: "Trang này tự động cập nhật.",
  noPage: {
    title: "Liên kết này không hợp lệ",
    text: "Liên kết có thể bị thiếu. Vui lòng mở lại từ tin nhắn hoặc trang mà bạn đã nhận được liên kết.",
  },
  tooMany: {
    title: "Quá nhiều yêu cầu",
    text: "Vui lòng chờ một phút rồi tải lại trang này.",
  },
  broken: {
    title: "Không thể hiển thị trang này",
    text: "Đây là lỗi từ phía chúng tôi và không phản ánh trạng thái khoản thanh toán của bạn. Vui lòng tải lại trang sau một phút.",
  },
};
