// Code to paste. The server no longer knows the key, so the snippets read it from the environment and show
// its prefix. Those for a terminal have no comments, which an interactive zsh would run as commands. Nor do
// they set the variable, which may hold the key already: where it holds nothing they say what it has to hold.
const FIRST_MEMORY = 'Anna prefers dark roast coffee in the morning.'
const FIRST_QUESTION = 'Which coffee does Anna like?'

export type Language = 'curl' | 'TypeScript' | 'Python' | 'MCP'

export function snippets(address: string, prefix: string | null): Record<Language, string> {
  const key = `${prefix ?? 'mng_'}…`
  const missing = `test "$KEY" || echo "First, with the whole key: export KEY='${key}'"`
  return {
    curl: `${missing}

curl -w '\\n' '${address}/v1/memories' \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
    "content": "${FIRST_MEMORY}",
    "userId": "anna"
  }'

curl -w '\\n' '${address}/v1/memories/search' \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
    "query": "${FIRST_QUESTION}",
    "userId": "anna"
  }'`,

    TypeScript: `// KEY=${key}
const api = async (path: string, body: object) => {
  const response = await fetch('${address}/v1' + path, {
    method: 'POST',
    headers: {
      Authorization: \`Bearer \${process.env.KEY}\`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

await api('/memories', {
  content: '${FIRST_MEMORY}',
  userId: 'anna',
})
const { results } = await api('/memories/search', {
  query: '${FIRST_QUESTION}',
  userId: 'anna',
})
console.log(results)`,

    Python: `# KEY=${key}
import json, os, urllib.request

def api(path, body):
    request = urllib.request.Request(
        "${address}/v1" + path,
        data=json.dumps(body).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["KEY"],
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)

api("/memories", {
    "content": "${FIRST_MEMORY}",
    "userId": "anna",
})
print(api("/memories/search", {
    "query": "${FIRST_QUESTION}",
    "userId": "anna",
})["results"])`,

    MCP: `${missing}

claude mcp add --transport http mnemograph '${address}/mcp' \\
  --header "Authorization: Bearer $KEY"`,
  }
}
