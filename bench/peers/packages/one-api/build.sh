#!/bin/sh
# Builds one-api from its source at the commit that was measured. ONE_API_REPOSITORY names another place
# to clone it from. Its web pages, which a build embeds and requests to the API never touch, are left empty.
set -eu
rm -rf source
git clone --quiet "${ONE_API_REPOSITORY:-https://github.com/songquanpeng/one-api}" source
git -C source checkout --quiet 8df4a2670b98266bd287c698243fff327d9748cf
for theme in default berry air; do
  mkdir -p "source/web/build/$theme"
  echo '<!doctype html>' >"source/web/build/$theme/index.html"
done
cd source
go build -o ../one-api .
