// A person and a client's host, for the OAuth clients of the TypeScript SDKs. The person has a
// session cookie and allows every request.
export class Provider {
  redirectUrl = "http://127.0.0.1:33418/callback";
  clientMetadata = {
    client_name: "TypeScript SDK",
    redirect_uris: [this.redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  saved = {};
  constructor(cookie, step = () => {}) {
    this.cookie = cookie;
    this.step = step;
  }
  state() {
    return "state-" + Math.random().toString(36).slice(2);
  }
  clientInformation() {
    return this.saved.client;
  }
  saveClientInformation(client) {
    this.saved.client = client;
    this.step("registered", { client: client.client_id });
  }
  tokens() {
    return this.saved.tokens;
  }
  saveTokens(tokens) {
    this.saved.tokens = tokens;
    this.step("tokens", { scope: tokens.scope, refresh: Boolean(tokens.refresh_token) });
  }
  saveCodeVerifier(verifier) {
    this.saved.verifier = verifier;
  }
  saveDiscoveryState(state) {
    this.saved.discovery = state;
  }
  discoveryState() {
    return this.saved.discovery;
  }
  codeVerifier() {
    return this.saved.verifier;
  }
  async redirectToAuthorization(url) {
    ({ code: this.code, iss: this.iss } = await this.browse(url));
  }

  // browse does what the person's browser does: it opens the consent page, allows the request, and
  // stops at the client's URL.
  async browse(url) {
    const headers = { cookie: this.cookie };
    const page = await fetch(url, { headers, redirect: "manual" });
    let back = page;
    if (page.status === 200) {
      const form = new URLSearchParams();
      for (const [tag] of (await page.text()).matchAll(/<input [^>]*>/g)) {
        if (tag.includes('type="radio"') && !tag.includes(" checked")) continue;
        form.append(/name="([^"]*)"/.exec(tag)[1], /value="([^"]*)"/.exec(tag)[1]);
      }
      form.append("decision", "allow");
      back = await fetch(new URL("/oauth/consent", url), { method: "POST", headers, body: form, redirect: "manual" });
    }
    const told = new URL(back.headers.get("location")).searchParams;
    this.step("authorized", {
      iss: told.get("iss"),
      resource: new URL(url).searchParams.get("resource"),
      scope: new URL(url).searchParams.get("scope"),
      asked: page.status === 200,
    });
    return { code: told.get("code"), iss: told.get("iss") };
  }
}
