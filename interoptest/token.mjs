// Counts tokens as o200k_base has them. It reads lines that are JSON strings, and writes the number of tokens of
// each as a line.
import { createInterface } from "node:readline";
import { Tiktoken } from "js-tiktoken/lite";
import o200k from "js-tiktoken/ranks/o200k_base";

const tokenizer = new Tiktoken(o200k);
for await (const line of createInterface({ input: process.stdin })) {
  // Text that looks like a special token is data.
  process.stdout.write(tokenizer.encode(JSON.parse(line), [], []).length + "\n");
}
