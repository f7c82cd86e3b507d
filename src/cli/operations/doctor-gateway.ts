import {
  broken,
  CLOCK_OFFSET_MAX_MS,
  type Finding,
  ok,
  warning,
} from "#cli/operations/doctor-finding.ts";
import type { Config } from "#app/config.ts";
import type { StatusAnswer } from "#payout/outcome.ts";

export const CREDENTIALS = "credentials";

/** Checks whether the gateway answers, and whether it knows our merchants. */
export async function checkGateway(config: Config): Promise<Finding[]> {
  const { ConfigError } = await import("#app/config.ts");
  const { isUnencrypted } = await import("#app/gateway-config.ts");
  const { openGateway } = await import("#app/wiring.ts");
  const { newTransactionCode } = await import("#base/ids.ts");
  let opened: ReturnType<typeof openGateway>;
  try {
    opened = openGateway(config);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = "set the missing variables, in the environment or in .env";
    return error.problems.map((problem) => broken(CREDENTIALS, problem, advice));
  }
  const { gateway, keyring } = opened;
  try {
    const { reachable, detail, clockOffsetMs } = await gateway.probe();
    if (!reachable)
      return [
        broken(
          "gateway",
          `${config.GATEWAY_URL}: ${detail}`,
          "check GATEWAY_URL, the network, and whether the gateway allows this IP address",
        ),
      ];
    const findings = [ok("gateway", `${config.GATEWAY_URL} is reachable`)];
    if (isUnencrypted(config.GATEWAY_URL ?? "")) {
      findings.push(
        warning(
          "gateway TLS",
          `${config.GATEWAY_URL} does not use https`,
          "use the https URL: the gateway's own encryption reveals which requests start with the same data and does not detect tampering",
        ),
      );
    }
    if (clockOffsetMs !== null && Math.abs(clockOffsetMs) > CLOCK_OFFSET_MAX_MS) {
      findings.push(
        broken(
          "gateway clock",
          `${Math.round(Math.abs(clockOffsetMs) / 1000)} s ${clockOffsetMs < 0 ? "behind" : "ahead of"} this machine's clock`,
          "synchronise this machine's clock (NTP): the gateway refuses timestamps older than 1 h or more than 5 min ahead",
        ),
      );
    }
    // A status query for a code that cannot exist. It is harmless and shows whether the keys are
    // valid.
    for (const merchant of keyring.all) {
      const { answer, evidence } = await gateway.status(
        merchant.currencies[0] ?? "",
        newTransactionCode(),
      );
      findings.push(credentialsFinding(merchant, answer, evidence.httpStatus));
    }
    return findings;
  } finally {
    gateway.close();
  }
}

/** Codes with which a gateway rejects our keys or our address. */
const REFUSED = /^(?:115|118|124|http_40[13])$/;

function credentialsFinding(
  {
    merchantCode,
    currencies,
  }: { readonly merchantCode: string; readonly currencies: readonly string[] },
  answer: StatusAnswer,
  httpStatus: number | null,
): Finding {
  const credentials = `${CREDENTIALS} of ${merchantCode}`;
  const status = `status query of ${merchantCode}`;
  if (answer.kind === "not_found") return ok(credentials, `accepted (${currencies.join(", ")})`);
  if (answer.kind === "found") {
    return broken(
      status,
      "the gateway reports a transaction for a code that payrun generated for this test",
      "contact gateway support: a status query must return only the queried code",
    );
  }
  const words = answer.text || answer.code;
  if (REFUSED.test(answer.code)) {
    return broken(
      credentials,
      `the gateway rejected a status query: ${words}`,
      "check this merchant's code, API key and secret, and whether the gateway allows this IP address",
    );
  }
  const said =
    httpStatus === null || words.startsWith("HTTP") ? words : `HTTP ${httpStatus}: ${words}`;
  return broken(
    status,
    `the gateway returned an unusable response to a status query: ${said}`,
    "expected an empty list, or a message that the transaction does not exist. Check the path in GATEWAY_URL and the merchant code. If both are correct, contact gateway support: without status responses, payrun cannot prove that a payout is settled",
  );
}
