// What /console shows when its files are missing, as after an installation that ran no scripts.

export const NOT_BUILT_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>The console is not built – Mnemograph</title></head>
<body>
<h1>The console is not built</h1>
<p>The API works, but the files of the console are missing. This happens when the packages were
installed with --ignore-scripts. Build them in the folder of Mnemograph, then start it again:</p>
<pre><code>npm run build --workspace packages/console</code></pre>
</body>
</html>
`
