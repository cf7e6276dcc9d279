"""Addresses of the public API."""

from django.urls import path

from search import api

app_name = "search-api"
urlpatterns = [
    path("games/", api.Games.as_view(), name="games"),
    path("games/<int:pk>/", api.GameDetail.as_view(), name="game"),
    path("passages/", api.Passages.as_view(), name="passages"),
    path("suggestions/", api.Suggestions.as_view(), name="suggestions"),
    path("rules/<int:pk>/", api.Rules.as_view(), name="rules"),
]
