# A local image that plays one game on the embedded engine:  docker build -t ironsight . && docker run --rm -it ironsight
# The ladder does not use it: the ladder takes dist/Ironsight.zip (make zip).
FROM python:3.12-slim-bookworm

RUN useradd --create-home --uid 1000 ironsight
WORKDIR /home/ironsight/app
COPY pyproject.toml README.md ./
RUN pip install --no-cache-dir .

COPY --chown=ironsight run.py ladderbots.json ./
COPY --chown=ironsight bot bot
COPY --chown=ironsight models models
COPY --chown=ironsight sim sim
RUN chown ironsight .
USER ironsight

# The kernel is compiled once, here, and not at the start of every container.
RUN python -m sim compile
ENTRYPOINT ["python", "run.py"]
