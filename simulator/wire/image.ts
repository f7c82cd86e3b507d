import type { ServerResponse } from "node:http";
import { toBuffer } from "qrcode";
import { send } from "./replies.ts";

const TEXT_CHARS_MAX = 512;

/**
 * GET /image?encoded=true&url=… : the QR image of a UPI deposit, from its Base64-encoded content.
 */
export async function qrImage(response: ServerResponse, query: URLSearchParams): Promise<void> {
  const text = Buffer.from(query.get("url") ?? "", "base64url").toString();
  if (!text.startsWith("upi://pay?") || text.length > TEXT_CHARS_MAX) {
    return send(response, { status: 404, body: '{"message":"Not Found"}' });
  }
  const image = await toBuffer(text, { type: "png", margin: 2, scale: 6 });
  response.writeHead(200, { "content-type": "image/png", "content-length": image.length });
  response.end(image);
}
