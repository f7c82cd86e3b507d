import type { Sabotage } from "./sabotage.ts";

const CLIENT_FAILURES = "src/gateway/wire/connection-failures.ts";
const ANSWERS = "src/gateway/payout-answers.ts";
const ERROR_CODES = "src/gateway/error-codes.ts";
const STATUS = "src/gateway/status-answer.ts";

/** Mistakes in reading the gateway's answers, and in writing requests. */
export const ANSWER_SABOTAGES: readonly Sabotage[] = [
  {
    name: "a timeout is read as declined",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: CLIENT_FAILURES,
        find: 'return { kind: "in_doubt", code: "no_answer", text: failureText({ code }) };',
        replace: 'return { kind: "declined", code: "no_answer", text: failureText({ code }) };',
      },
    ],
  },
  {
    name: "a lost connection is read as proof that the request was not sent",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: CLIENT_FAILURES,
        find: 'if (proof === "none") {',
        replace: 'if (proof === "none" && code === "never") {',
      },
    ],
  },
  {
    name: "success: true is trusted",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: ANSWERS,
        find: "  const { codes } = read;\n",
        replace: `  if (answer.body && /"success"\\s*:\\s*true/.test(answer.body)) {
    return { outcome: { kind: "accepted" }, code: null, message };
  }
  const { codes } = read;
`,
      },
    ],
  },
  {
    name: "an unknown message is read as accepted",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: ANSWERS,
        find: 'message.trim().replace(PREFIX, "").toLowerCase() === ACCEPTED ?',
        replace: 'message.trim().replace(PREFIX, "").length > 0 ?',
      },
    ],
  },
  {
    name: "an ambiguous response (117, 123, 131) is read as not accepted",
    breaks: "I9",
    caughtBy: "simulation",
    edits: ["117", "123", "131"].map((code) => ({
      file: ERROR_CODES,
      find: `"${code}": { kind: "in_doubt", `,
      replace: `"${code}": { kind: "declined", `,
    })),
  },
  {
    name: "an unknown error code is read as a refusal",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: ANSWERS,
        find: 'if (!meaning) return doubt(code, message || "unknown code");',
        replace:
          'if (!meaning) return { outcome: { kind: "declined", code, text: "unknown code" }, code, message };',
      },
    ],
  },
  {
    name: "a server error without a readable response is read as a refusal",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: ANSWERS,
        find: "return doubt(`http_${status}`, unreadableText(answer));",
        replace:
          'return { outcome: { kind: "declined", code: `http_${status}`, text: "refused" }, code: null, message };',
      },
    ],
  },
  {
    name: "the last of two equal keys wins in the encoder",
    breaks: "I10",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/gateway/wire/layout.ts",
        find: 'if (escaping === "none" && NOT_RAW.test(value)) {',
        replace: 'if (escaping === "none" && NOT_RAW.test("")) {',
      },
      {
        file: "src/gateway/wire/layout.ts",
        find: 'const field = read.ok ? firstDifference(fields, read.value) : "";',
        replace: "const field = read.ok || read.error ? null : firstDifference(fields, new Map());",
      },
    ],
  },
  {
    name: "a record of another code is accepted as ours",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: STATUS,
        find: ".filter((record) => record.transaction_code === transactionCode)",
        replace: '.filter((record) => record.transaction_code !== "")',
      },
    ],
  },
  {
    name: "the first of several different records is trusted",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: STATUS,
        find: "const agree = others.every((other) => isSameRecord(first, other));",
        replace: "const agree = others.length >= 0;",
      },
    ],
  },
  {
    name: "contradictory status fields are trusted",
    breaks: "I9",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/gateway/transaction-states.ts",
        find: 'return told.every((state) => state === first) ? first : "unclear";',
        replace: 'return told.includes("completed") ? "completed" : first;',
      },
    ],
  },
  {
    name: "the HTTP client repeats a request that got no response",
    breaks: "I4",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/gateway/exchange.ts",
        find: "  const reply = await request();\n",
        replace: `  let reply = await request();
  if ("proof" in reply) reply = await request();
`,
      },
    ],
  },
  {
    name: "every attempt has the timestamp of the first",
    breaks: "I2",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/gateway/client.ts",
        find: "const timestampSeconds = timestampAt(clock.nowMs());",
        replace: `const stamps = ((keyring as unknown as { stamps?: Map<string, number> }).stamps ??= new Map());
      const timestampSeconds = stamps.get(order.transactionCode) ?? timestampAt(clock.nowMs());
      stamps.set(order.transactionCode, timestampSeconds);`,
      },
    ],
  },
  {
    name: "a reason quotes the account number",
    breaks: "I14",
    caughtBy: "simulation",
    edits: [
      {
        file: "src/gateway/client.ts",
        find: "return notEncodableAttempt(plaintext.error);",
        replace: 'return { kind: "not_encodable", text: JSON.stringify(order.details) };',
      },
    ],
  },
];
