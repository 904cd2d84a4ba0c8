import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import "./reference.css";

type React = { createElement: (kind: string, props: object | null, ...children: unknown[]) => unknown };

/**
 * The link to an operation stands inside the button that opens it, where none may be; the address
 * follows the button anyway.
 */
const plainPath = {
  wrapComponents: {
    DeepLink:
      (_link: unknown, { React }: { React: React }) =>
      ({ text }: { text: unknown }) =>
        React.createElement("span", null, text),
  },
};

// The page works signed in (the session is used) and signed out (a key can be entered under
// "Authorize").
SwaggerUI({
  url: "/api/v1/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "list",
  displayRequestDuration: true,
  tryItOutEnabled: false,
  validatorUrl: null,
  plugins: [() => plainPath],
  onComplete: () =>
    requestAnimationFrame(() => document.querySelector("#servers")?.setAttribute("aria-label", "Server")),
});
