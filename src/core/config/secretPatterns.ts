/** Keys whose value is a secret by their meaning, in any spelling: `api_key`, `apiKey`, `X-API-Key`. */
const secretKeys: ReadonlySet<string> = new Set([
	"accesstoken",
	"apikey",
	"apisecret",
	"apitoken",
	"authorization",
	"authtoken",
	"bearertoken",
	"bottoken",
	"clientsecret",
	"cookie",
	"experimentalbearertoken",
	"passphrase",
	"passwd",
	"password",
	"privatekey",
	"proxyauthorization",
	"secret",
	"secretkey",
	"token",
	"xapikey",
]);

/** Forms that only credentials have. */
const credentials =
	/-----BEGIN [A-Z ]*PRIVATE KEY-----|\bgh[oprsu]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bxox[abeoprs]-[\w-]{10,}|\bsk-[\w-]{20,}|\beyJ[\w-]{10,}\.[\w-]{10,}\.|\bAIza[\w-]{30,}|\bnpm_\w{30,}|\bhf_\w{30,}|\b\d{8,10}:[\w-]{35}\b|\bauthorization:\s*(?:bearer|basic)\s+[^\s${]{8,}/iu;

const secretSuffix =
	/(?:^|[_-])(?:token|secret|password|passwd|passphrase|credentials?|(?:api|access|auth|private|secret)[_-]?key)$/iu;
const authorization = /^(?:bearer|basic)\s+\S/iu;
const secretOption = /^--?[\w-]*(?:token|secret|password|api-?key)=\S{8,}$/iu;

export function isSecretKey(key: string): boolean {
	return secretKeys.has(key.replaceAll(/[-_\s]/gu, "").toLowerCase());
}

/** A text that is a credential wherever it stands. */
export function isCredential(text: string): boolean {
	return credentials.test(text) || secretOption.test(text) || isAddressWithSecret(text);
}

/** A variable or a header whose name promises a secret, and whose value is not obviously something else. */
export function isNamedSecret(name: string, value: string): boolean {
	const isSomethingElse = /^(?:true|false|\d{1,9}|\$.*|[./~].*)?$/iu.test(value) || value.includes("://");
	return (secretSuffix.test(name) || isSecretKey(name) || authorization.test(value)) && !isSomethingElse;
}

function isAddressWithSecret(text: string): boolean {
	if (!/^[a-z][a-z0-9+.-]*:\/\//iu.test(text) || !URL.canParse(text)) return false;
	const { password, searchParams } = new URL(text);
	return password !== "" || [...searchParams].some(([name, value]) => isNamedSecret(name, value));
}
