"""Addresses of the catalogue API."""

from django.urls import URLPattern

app_name = "catalogue-api"
urlpatterns: list[URLPattern] = []
