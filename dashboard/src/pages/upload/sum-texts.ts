/** "INR 1,234.50; THB 20" as the API asks for it. */
export const sumTexts = (text: string): string[] =>
  text
    .split(";")
    .map((sum) =>
      sum
        .trim()
        .replaceAll(",", "")
        .replace(/[\s=]+/, "="),
    )
    .filter((sum) => sum !== "");
