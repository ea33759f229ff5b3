// The page in the language that is asked for, or else the first of the browser's that there is.
const pages = JSON.parse(document.getElementById("pages").textContent);
const wanted = [new URLSearchParams(location.search).get("lang") ?? "", ...navigator.languages.map((one) => one.split("-")[0])];
const language = wanted.find((one) => one in pages) ?? "en";
document.documentElement.lang = language;
document.body.innerHTML = pages[language].body;
document.getElementById("words").textContent = JSON.stringify(pages[language].words);
