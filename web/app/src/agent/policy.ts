import { config } from "zod";

// The policy of a client lets no page make code of text, and a schema that tries is a violation.
config({ jitless: true });
