import { defineConfig } from "oxlint";

import { boundaryOverrides } from "./boundaries.ts";

const CLOCK = "take the Clock from src/clock.ts, so that a test can own the time";
const MONEY = "an amount is a bigint of minor units (src/money); a float loses money";

/** Globals that decide something only one file may decide. */
const GLOBALS = [
  { name: "setTimeout", message: CLOCK },
  { name: "setInterval", message: CLOCK },
  {
    name: "fetch",
    message: "outbound HTTP belongs to src/gateway/transport.ts, which has a deadline",
  },
  { name: "parseFloat", message: MONEY },
];

export default defineConfig({
  plugins: ["eslint", "typescript", "unicorn", "oxc", "import", "node", "promise", "vitest"],
  categories: { correctness: "error", suspicious: "error" },
  // Who imports whom can be told without types, twenty times sooner: test/boundaries.test.ts asks for that alone.
  options: {
    typeAware: process.env["LINT_TYPES"] !== "no",
    reportUnusedDisableDirectives: "error",
  },
  ignorePatterns: ["node_modules", "coverage", "dashboard/dist"],
  rules: {
    eqeqeq: ["error", "always", { null: "ignore" }],
    "no-var": "error",
    "prefer-const": "error",
    "no-console": "error",
    "import/no-cycle": "error",
    "node/no-process-env": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/only-throw-error": "error",
    "typescript/switch-exhaustiveness-check": "error",
    "unicorn/filename-case": ["error", { case: "kebabCase" }],
    "vitest/expect-expect": [
      "error",
      { assertFunctionNames: ["expect", "expectTypeOf", "fc.assert"] },
    ],
    "vitest/no-disabled-tests": "error",
    "vitest/no-focused-tests": "error",
    // The second argument of expect says what was being looked at.
    "vitest/valid-expect": ["error", { maxArgs: 2 }],
    "no-restricted-globals": ["error", ...GLOBALS],
    "no-restricted-properties": [
      "error",
      { object: "Date", property: "now", message: CLOCK },
      { object: "Math", property: "random", message: "chance belongs to src/ids.ts" },
      { object: "Number", property: "parseFloat", message: MONEY },
    ],
    // Names are checked for control characters, so some patterns hold them on purpose.
    "no-control-regex": "off",
    // Says what noImplicitReturns of the compiler says better.
    "typescript/consistent-return": "off",
    // A cast at an edge is a decision that review sees; the alternative is a guard that proves nothing.
    "typescript/no-unsafe-type-assertion": "off",
    // Spreading a string into its code points is how a name is looked at.
    "typescript/no-misused-spread": ["error", { allow: ["string"] }],
    "import/no-named-as-default-member": "off",
    "unicorn/no-array-sort": "off",
    // The few interfaces here are records of functions; nothing of theirs hangs on `this`.
    "typescript/unbound-method": "off",
    "typescript/no-unnecessary-boolean-literal-compare": "off",
    "eslint/no-shadow": "off",
    // A loop that awaits is a sequence, and most sequences here are meant.
    "eslint/no-await-in-loop": "off",
    // Inner functions close over what they need; hoisting them would lengthen their argument lists.
    "unicorn/consistent-function-scoping": "off",
  },
  overrides: [
    ...boundaryOverrides,
    {
      files: ["src/money/**/*.ts"],
      rules: {
        "no-restricted-globals": ["error", ...GLOBALS, { name: "Number", message: MONEY }],
      },
    },
    // The owners of the environment, of the time and of chance.
    { files: ["src/config.ts"], rules: { "node/no-process-env": "off" } },
    {
      files: ["src/clock.ts", "src/ids.ts"],
      rules: { "no-restricted-globals": "off", "no-restricted-properties": "off" },
    },
    // The gateway's side is a process of its own: its delays are what it simulates.
    {
      files: ["simulator/**/*.ts"],
      rules: {
        "no-restricted-globals": ["error", ...GLOBALS.filter(({ message }) => message !== CLOCK)],
      },
    },
    // The one script of the payment page, in the payer's browser.
    {
      files: ["src/pay/page.js"],
      rules: { "no-restricted-globals": "off", "no-restricted-properties": "off" },
    },
    // In the browser: one file talks to the server, and the time is what the reader's own clock says.
    {
      files: ["dashboard/src/**/*.{ts,tsx}"],
      plugins: ["react", "jsx-a11y"],
      rules: {
        "no-restricted-globals": [
          "error",
          ...GLOBALS.filter(({ message }) => message !== CLOCK).map((rule) =>
            rule.name === "fetch"
              ? { ...rule, message: "dashboard/src/client.ts talks to the server" }
              : rule,
          ),
        ],
        "no-restricted-properties": [
          "error",
          { object: "Number", property: "parseFloat", message: MONEY },
        ],
        "import/no-unassigned-import": ["error", { allow: ["**/*.css", "**/styles.ts"] }],
        // A region that scrolls takes the focus, so that the keyboard can scroll it.
        "jsx-a11y/no-noninteractive-tabindex": ["error", { tags: [], roles: ["region"] }],
        "jsx-a11y/prefer-tag-over-role": "off",
        // The compiler makes the import.
        "react/react-in-jsx-scope": "off",
      },
    },
    {
      files: ["dashboard/src/client.ts"],
      rules: { "no-restricted-globals": "off" },
    },
    // What people read on a terminal is written by the command line and the scripts.
    {
      files: ["src/cli/**/*.ts", "bench/**/*.ts", "scripts/**/*.ts", "proof/**/main.ts"],
      rules: { "no-console": "off" },
    },
    {
      files: [
        "bench/**/*.ts",
        "proof/**/*.ts",
        "scripts/**/*.ts",
        "test/**/*.ts",
        "vitest.config.ts",
        "oxlint.config.ts",
      ],
      rules: {
        "node/no-process-env": "off",
        "no-restricted-globals": "off",
        "no-restricted-properties": "off",
      },
    },
  ],
});
