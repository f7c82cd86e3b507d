import QRCode from "qrcode";
import { type Html, html } from "./html.ts";

/** Light squares around the code, without which cameras do not find it (ISO/IEC 18004). */
const QUIET = 4;

/** A QR code as a picture of the page itself: one path of dark squares on white, in either theme. */
export function qrPicture(text: string, label: string): Html {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: "M" });
  const side = modules.size + 2 * QUIET;
  let path = "";
  for (let y = 0; y < modules.size; y++) {
    for (let x = 0; x < modules.size; x++) {
      if (modules.get(y, x)) path += `M${x + QUIET} ${y + QUIET}h1v1h-1z`;
    }
  }
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="#000" d="${path}"/></svg>`;
}

/**
 * What a UPI app reads: to whom, how much, in which currency. The payer's app asks the network for the name behind the
 * id, so the id stands for the name that we are not told.
 */
export function upiLink(upiId: string, amount: string): string {
  const id = encodeURIComponent(upiId).replaceAll("%40", "@"); // as the apps write it themselves
  return `upi://pay?pa=${id}&pn=${id}&am=${encodeURIComponent(amount)}&cu=INR`;
}
