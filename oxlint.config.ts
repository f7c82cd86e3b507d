import { defineConfig } from "oxlint";

import { boundaryOverrides } from "./boundaries.ts";

const CLOCK = "take the Clock from src/base/clock.ts, so that a test can own the time";
const MONEY = "an amount is a bigint of minor units (src/money); a float loses money";

/** Globals with an effect on decisions. Only one file may use each. */
const GLOBALS = [
  { name: "setTimeout", message: CLOCK },
  { name: "setInterval", message: CLOCK },
  {
    name: "fetch",
    message: "outbound HTTP belongs to src/gateway/wire/transport.ts, which has a deadline",
  },
  { name: "parseFloat", message: MONEY },
];

export default defineConfig({
  plugins: ["eslint", "typescript", "unicorn", "oxc", "import", "node", "promise", "vitest"],
  categories: { correctness: "error", suspicious: "error" },
  // Import boundaries need no type information and check twenty times faster without it:
  // test/boundaries.test.ts runs them alone.
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
    "max-lines-per-function": ["error", { max: 70 }],
    "import/no-cycle": ["error", { ignoreTypes: false }],
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
    // The second argument of expect is the message of a failure.
    "vitest/valid-expect": ["error", { maxArgs: 2 }],
    "no-restricted-globals": ["error", ...GLOBALS],
    "no-restricted-properties": [
      "error",
      { object: "Date", property: "now", message: CLOCK },
      { object: "Math", property: "random", message: "chance belongs to src/base/ids.ts" },
      { object: "Number", property: "parseFloat", message: MONEY },
    ],
    // Name checks look for control characters, so some patterns contain them on purpose.
    "no-control-regex": "off",
    // The compiler's noImplicitReturns covers this better.
    "typescript/consistent-return": "off",
    // A cast at a boundary is a decision that a reviewer sees. The alternative is a guard that
    // proves nothing.
    "typescript/no-unsafe-type-assertion": "off",
    // The name checks spread a string into its code points.
    "typescript/no-misused-spread": ["error", { allow: ["string"] }],
    "import/no-named-as-default-member": "off",
    "unicorn/no-array-sort": "off",
    // The few interfaces here are records of functions and do not use `this`.
    "typescript/unbound-method": "off",
    "typescript/no-unnecessary-boolean-literal-compare": "off",
    "eslint/no-shadow": "off",
    // A loop that awaits is a sequence, and most sequences here are intended.
    "eslint/no-await-in-loop": "off",
    // Inner functions close over their inputs. Hoisting them would lengthen their argument lists.
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
    // The only files that may read the environment, the time and randomness.
    { files: ["src/app/config.ts"], rules: { "node/no-process-env": "off" } },
    {
      files: ["src/base/clock.ts", "src/base/ids.ts"],
      rules: { "no-restricted-globals": "off", "no-restricted-properties": "off" },
    },
    // The simulated gateway is its own process, and it simulates delays.
    {
      files: ["simulator/**/*.ts"],
      rules: {
        "no-restricted-globals": ["error", ...GLOBALS.filter(({ message }) => message !== CLOCK)],
      },
    },
    // The only script of the payment page, in the payer's browser.
    {
      files: ["src/deposit/page/page-script.js"],
      rules: { "no-restricted-globals": "off", "no-restricted-properties": "off" },
    },
    // In the browser one file talks to the server, and the time is the reader's own clock.
    {
      files: ["dashboard/src/**/*.{ts,tsx}"],
      plugins: ["react", "jsx-a11y"],
      rules: {
        "no-restricted-globals": [
          "error",
          ...GLOBALS.filter(({ message }) => message !== CLOCK).map((rule) =>
            rule.name === "fetch"
              ? { ...rule, message: "dashboard/src/server/client.ts talks to the server" }
              : rule,
          ),
        ],
        "no-restricted-properties": [
          "error",
          { object: "Number", property: "parseFloat", message: MONEY },
        ],
        "import/no-unassigned-import": ["error", { allow: ["**/*.css", "**/styles.ts"] }],
        // A scrollable region takes the focus so that the keyboard can scroll it.
        "jsx-a11y/no-noninteractive-tabindex": ["error", { tags: [], roles: ["region"] }],
        "jsx-a11y/prefer-tag-over-role": "off",
        // The compiler adds the import.
        "react/react-in-jsx-scope": "off",
      },
    },
    {
      files: ["dashboard/src/server/client.ts", "client/client.ts"],
      rules: { "no-restricted-globals": "off" },
    },
    // In a test file, `describe` takes a function that is a list of tests, and a test is a list of
    // steps.
    {
      files: ["test/**/*.ts"],
      rules: { "max-lines-per-function": "off" },
    },
    // The command line and the scripts write to the terminal.
    {
      files: [
        "src/cli/**/*.ts",
        "bench/**/*.ts",
        "scripts/**/*.ts",
        "scripts/*.mjs",
        "proof/**/main.ts",
      ],
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
