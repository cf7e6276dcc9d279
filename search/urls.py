"""Addresses of the public catalogue."""

from django.urls import path

from search import views

urlpatterns = [
    path("", views.home, name="home"),
    path("suggestions/", views.suggestions, name="suggestions"),
    path("games/<int:pk>/", views.game, name="game"),
    path("rules/<int:pk>/", views.rules_text, name="rules-text"),
    path("rules/<int:pk>/revisions/<int:number>/", views.rules_text, name="rules-revision"),
    path("rules/<int:pk>/history/", views.rules_history, name="rules-history"),
    path("rules/<int:pk>/diff/", views.rules_diff, name="rules-diff"),
    path("documents/<int:pk>/", views.document, name="document"),
]
