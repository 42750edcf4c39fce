const loopback = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i;

/**
 * Says on the console what the browser or the server refused, and what cures it: each thing once.
 * @param {Window} window
 * @param {URL} url The server.
 * @param {string} [token]
 * @returns {Function} A part of the bridge.
 */
export function diagnostics(window, url, token) {
  return (core) => {
    const said = new Set();
    const say = (level, text) => {
      if (said.has(text)) return;
      said.add(text);
      console[level](`[bridgehead] ${text}`);
    };
    let isBlocked = false;
    window.document.addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective, disposition }) => {
      if (disposition === "report" || !isSameHost(blockedURI, url)) return;
      isBlocked = true;
      say("error", contentPolicy(effectiveDirective, blockedURI, url));
    });
    core.greeted.add(() => said.clear());
    core.ended.add(async ({ opened, code, error }) => {
      if (opened || isBlocked || said.size > 0) return;
      said.add("");
      const refusal = await findRefusal(window, url, token, error);
      if (isBlocked) return;
      if (refusal) say("error", refusal);
      else say("info", `No server at ${url.origin} (${code}): the page works without it, and connects when it is there.`);
    });
  };
}

function isSameHost(blocked, url) {
  try {
    return new URL(blocked).host === url.host;
  } catch {
    return false;
  }
}

function contentPolicy(directive, blocked, url) {
  const source = directive === "connect-src" ? `${url.protocol === "https:" ? "wss" : "ws"}://${url.host} ${url.origin}` : url.origin;
  return `The page's Content-Security-Policy does not allow ${blocked}. Add to it: ${directive} ${source}`;
}

/** What stands between the page and the server, if it is not that there is no server. */
async function findRefusal(window, url, token, error) {
  const { location } = window;
  if (location.protocol === "https:" && url.protocol === "http:" && (error || !loopback.test(url.hostname))) {
    return `The page came over https, and the browser does not let it open ws://${url.host} (mixed content). Open the page over http, or use a server at http://localhost, which Chrome and Firefox allow.`;
  }
  const health = await readHealth(url, token);
  if (health?.needsToken) {
    const cure = `load the client with ?token=…, as the server printed it: <script src="${url.origin}/_bridge/client.js?token=…">`;
    return `The server at ${url.origin} ${token ? "does not take this token" : "asks for a token"}: ${cure}`;
  }
  if (health?.originAllowed === false) {
    // The page's origin is not always its address's: it is "null" for a file and in a sandbox.
    return `The server at ${url.origin} does not let this page in. Start it with: --allow-origin ${window.origin}`;
  }
  if (health?.status === "draining") return undefined;
  if (health !== undefined) return `The server at ${url.origin} is there but refuses the connection; its terminal says why.`;
  if (!loopback.test(location.hostname) && loopback.test(url.hostname)) {
    for (const name of ["loopback-network", "local-network-access"]) {
      const state = await permission(window, name);
      if (state === "denied") {
        return `The browser does not let this page reach ${url.host} (local network access is denied). Allow it in the site's settings, behind the icon before the address.`;
      }
      if (state === "prompt") {
        return `The browser has not let this page reach ${url.host} yet (local network access). Allow it when it asks, or in the site's settings; pages on localhost are not asked.`;
      }
    }
  }
  return undefined;
}

async function readHealth(url, token) {
  try {
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    const response = await fetch(new URL("/_bridge/health", url), { headers });
    return response.status === 401 ? { needsToken: true } : await response.json();
  } catch {
    return undefined;
  }
}

async function permission(window, name) {
  try {
    return (await window.navigator.permissions.query({ name })).state;
  } catch {
    return undefined; // the browser knows no such permission
  }
}
