import { createTransport } from "nodemailer";
import type { Secret } from "#base/secret.ts";
import type { DeliveryResult } from "#notification/webhook.ts";

export interface Mailer {
  send(
    to: string,
    mail: { readonly subject: string; readonly text: string; readonly id: string },
  ): Promise<DeliveryResult>;
}

const TIMEOUT_MS = 20_000;

/** @param url smtp://user:password@host:port, or smtps:// */
export function createMailer(url: Secret, from: string): Mailer {
  const patience = {
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  };
  const transport = createTransport(url.reveal(), { from, ...patience });
  return {
    async send(to, { subject, text, id }) {
      try {
        const { response } = await transport.sendMail({
          to,
          subject,
          text,
          messageId: `<${id}@payrun>`,
          // Only the given text is sent: no file of this machine is attached, and no address is
          // fetched.
          disableFileAccess: true,
          disableUrlAccess: true,
        });
        return { ok: true, says: response.slice(0, 200) };
      } catch (error) {
        return {
          ok: false,
          says: String(error instanceof Error ? error.message : error).slice(0, 200),
        };
      }
    },
  };
}
