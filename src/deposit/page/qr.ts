import QRCode from "qrcode";
import { type Html, html } from "./html.ts";

/** Light squares around the code, without which cameras do not find it (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** Renders a QR code as an inline picture: one path of dark squares on white, in either theme. */
export function qrPicture(text: string, label: string): Html {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: "M" });
  const side = modules.size + 2 * QUIET_ZONE;
  let path = "";
  for (let y = 0; y < modules.size; y++) {
    for (let x = 0; x < modules.size; x++) {
      if (modules.get(y, x)) path += `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`;
    }
  }
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path fill="#000" d="${path}"/></svg>`;
}

/**
 * Returns the link that a UPI app reads: destination, amount and currency. The ID stands in for the
 * beneficiary's name, which the gateway does not give us: the payer's app asks the network for the
 * name of the ID.
 */
export function upiLink(upiId: string, amount: string): string {
  const id = encodeURIComponent(upiId).replaceAll("%40", "@"); // in the form that the apps use
  return `upi://pay?pa=${id}&pn=${id}&am=${encodeURIComponent(amount)}&cu=INR`;
}
